import { prepareNeo4j } from '../../scripts/graph-databases/neo4j.js';
import { describeGraphDatabase } from './databases/describe-graph-database.js';

await describeGraphDatabase('neo4j', prepareNeo4j);
