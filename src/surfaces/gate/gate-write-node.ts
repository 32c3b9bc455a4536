import { z } from 'zod';
import type { RulesInForce } from '../../gate/rules-in-force.js';
import type { Tool } from '../tool.js';
import { replaces } from '../tool-annotations.js';
import { labelsText } from './gate-rules-text.js';
import {
  heldOutput,
  heldText,
  keysInput,
  keysOutput,
  labelInput,
  originInput,
  propertiesInput,
  rejectionOutput,
  remappingOutput,
  similarOutput,
  statusOutput,
  warningsOutput,
  writtenOutput,
} from './gate-shapes.js';
import { defineGateTool, type OpenedGate } from './gate-tool.js';

/** @param rules Undefined until a registry has been loaded. */
export function gateWriteNode(opened: OpenedGate, rules: RulesInForce | undefined): Tool {
  const { gate } = opened;
  return defineGateTool(opened, {
    name: 'write_node',
    title: 'Write a node',
    description:
      'Write a fact about one thing: a node with a registered label, found by its merge_keys or created. ' +
      'The properties are merged into the existing ones; null removes one. ' +
      'Checked against the schema and stamped with source, method and computed confidence; ' +
      'if it is rejected, nothing was written and the result says what to fix. ' +
      heldText +
      labelsText(rules),
    annotations: replaces,
    input: z.object({
      label: labelInput('A label of the schema, such as Person'),
      merge_keys: keysInput(
        'What distinguishes this node from others with its label, such as {"name": "Ada"}',
      ),
      properties: propertiesInput(
        'Data about it, except confidence, source, extraction_method, write_gate_version and last_updated',
      ),
      ...originInput(gate.extractionMethods()),
    }),
    output: z.object({
      status: statusOutput,
      label: z.string().optional().describe('The registered label it was written under'),
      merge_keys: keysOutput.optional(),
      ...writtenOutput,
      ...heldOutput,
      ...warningsOutput,
      ...remappingOutput,
      similar: similarOutput,
      ...rejectionOutput,
    }),
    run: (target, author, given, view) => gate.writeNode(target, author, given, view),
  });
}
