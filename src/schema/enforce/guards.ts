import type { CompileGraphSchema } from '../../store/write-validator.js';
import type { RowWriter } from '../../store/writer.js';

/** Holds every write of a store against the schema of its graph; loaded with the first graph that has one. */
export const schemaGuards: CompileGraphSchema = async (source) => {
  const { SchemaGuard } = await import('./schema-guard.js');
  const { schemaOf } = await import('./schema-of.js');
  const { indexedProperties } = await import('./indexed-properties.js');
  const { embeddedProperties } = await import('../pg/embedded-properties.js');
  const schema = schemaOf(source);
  const bringRows = async (writer: RowWriter, earlier: string) => {
    const { bringRows: bring } = await import('../apply/bring-rows.js');
    await bring(writer, schemaOf(earlier), schema);
  };
  return {
    migrateRows: bringRows,
    writeValidator: () => new SchemaGuard(schema),
    indexedProperties: indexedProperties(schema),
    derivedProperties: embeddedProperties(schema),
  };
};
