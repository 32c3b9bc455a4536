import { z } from 'zod';
import {
  type PropsWithProvenance,
  type Provenance,
  pruneProvenance,
  stampFieldNames,
} from '../../model/provenance.js';

const stamp = {
  source: z.string().optional(),
  extraction_method: z.string().optional(),
  confidence: z.number().optional(),
  write_gate_version: z.string().optional(),
  last_updated: z.string().optional().describe('ISO 8601, UTC'),
  _schema_remap_from: z.string().optional().describe('The requested label, if another was used'),
  derived_from: z.array(z.string()).optional().describe('The nodes or commits it was derived from'),
};

const stampOutput = z.object(stamp);

export const provenanceOutput = z
  .object({
    ...stamp,
    properties: z
      .record(z.string(), stampOutput)
      .optional()
      .describe('For each property, the write that last set it'),
  })
  .optional()
  .describe(
    'Where it came from and how far it can be trusted; only for what was written through the write gate',
  );

export function provenanceField(thing: PropsWithProvenance): {
  provenance?: z.output<typeof provenanceOutput>;
} {
  const provenance = pruneProvenance(thing);
  if (provenance === null) return {};
  const stamp = stampOf(provenance);
  if (provenance.properties === undefined) return { provenance: stamp };
  const properties = Object.entries(provenance.properties).map(([name, of]) => [name, stampOf(of)] as const);
  return { provenance: { ...stamp, properties: Object.fromEntries(properties) } };
}

function stampOf(provenance: Provenance): z.output<typeof stampOutput> {
  const fields = stampFieldNames.map((field) => [field, provenance[field]] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}
