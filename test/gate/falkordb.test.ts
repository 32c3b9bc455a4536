import { prepareFalkordb } from '../../scripts/graph-databases/falkordb.js';
import { describeGraphDatabase } from './databases/describe-graph-database.js';

await describeGraphDatabase('falkordb', prepareFalkordb);
