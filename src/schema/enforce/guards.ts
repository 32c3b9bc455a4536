import type { Guards } from '../../store/write-guard.js';
import type { RowWriter } from '../../store/writer.js';

/** Holds every write of a store against the schema of its graph; loaded with the first graph that has one. */
export const schemaGuards: Guards = async (source) => {
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
    bringRows,
    guard: () => new SchemaGuard(schema),
    indexed: indexedProperties(schema),
    derived: embeddedProperties(schema),
  };
};
