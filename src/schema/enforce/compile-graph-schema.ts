import type { CompileGraphSchema } from '../../store/write-validator.js';
import type { RowWriter } from '../../store/writer.js';

/** Holds every write of a store against the schema of its graph; loaded with the first graph that has one. */
export const compileGraphSchema: CompileGraphSchema = async (source) => {
  const { GraphSchemaValidator } = await import('./graph-schema-validator.js');
  const { cachedGraphSchema } = await import('./graph-schema-cache.js');
  const { propertiesToIndex } = await import('./properties-to-index.js');
  const { embeddedProperties } = await import('../graph/embedded-properties.js');
  const schema = cachedGraphSchema(source);
  const bringRows = async (writer: RowWriter, earlier: string) => {
    const { migrateRows: bring } = await import('../apply/migrate-rows.js');
    await bring(writer, cachedGraphSchema(earlier), schema);
  };
  return {
    migrateRows: bringRows,
    writeValidator: () => new GraphSchemaValidator(schema),
    indexedProperties: propertiesToIndex(schema),
    derivedProperties: embeddedProperties(schema),
  };
};
