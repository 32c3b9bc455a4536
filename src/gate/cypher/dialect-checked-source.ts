import { databaseUnavailable } from '../../cypher/cypher-access.js';
import type { CypherAccess } from '../../cypher/cypher-connection.js';
import type { CypherDialect } from '../../cypher/cypher-dialect.js';
import { errorCodes, TrellisError } from '../../model/error.js';
import { quoteName } from '../../model/quoting.js';
import type { RegistrySource, SchemaRegistry } from '../registry/schema-registry.js';

/** Refuses a registry with names or types that the database has no room for, before anything is written. */
export class DialectCheckedSource implements RegistrySource {
  readonly name: string;
  readonly #source: RegistrySource;
  readonly #access: CypherAccess;

  constructor(source: RegistrySource, access: CypherAccess) {
    this.name = source.name;
    this.#source = source;
    this.#access = access;
  }

  async load(): Promise<SchemaRegistry> {
    const registry = await this.#source.load();
    const dialect = await this.#access
      .use(async (connection) => connection.dialect)
      .catch((error: unknown) => {
        throw databaseUnavailable(this.#access.name, error);
      });
    const problems = problemsIn(registry, dialect);
    if (problems.length === 0) return registry;
    throw new TrellisError(
      'SCHEMA_INVALID',
      `The gate registry in ${this.name} does not fit ${dialect.title}: ${problems.join('; ')}.`,
      { hint: 'Rename or remove them.', publicMessage: errorCodes.SCHEMA_INVALID, details: { problems } },
    );
  }
}

function problemsIn(registry: SchemaRegistry, dialect: CypherDialect): readonly string[] {
  const entries = [
    ...registry.allCanonicalLabels().map((name) => ({ name, entry: registry.getEntry(name) })),
    ...registry.allRelationTypes().map((name) => ({ name, entry: registry.getRelation(name) })),
  ];
  return entries.flatMap(({ name, entry }) => {
    const { required_properties = [], property_types = {} } = entry ?? {};
    const names = [name, ...new Set([...required_properties, ...Object.keys(property_types)])];
    const maps = Object.entries(property_types).filter(([, type]) => type === 'map');
    return [
      ...names.flatMap((used) => {
        const problem = dialect.nameProblem(used);
        return problem === undefined ? [] : [`${quoteName(used)} ${problem}`];
      }),
      ...(dialect.valueProblem({}) === undefined ? [] : maps).map(
        ([property]) => `${quoteName(property)} of ${quoteName(name)} is declared as a map`,
      ),
    ];
  });
}
