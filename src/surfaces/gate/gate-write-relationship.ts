import { z } from 'zod';
import { endpointPolicies } from '../../gate/check/gate-arguments.js';
import type { RulesInForce } from '../../gate/rules-in-force.js';
import type { Tool } from '../tool.js';
import { replaces } from '../tool-annotations.js';
import { relationshipTypesText } from './gate-rules-text.js';
import {
  endpointOutput,
  heldOutput,
  heldText,
  keysInput,
  labelInput,
  originInput,
  propertiesInput,
  rejectionOutput,
  statusOutput,
  warningsOutput,
  writtenOutput,
} from './gate-shapes.js';
import { defineGateTool, type OpenedGate } from './gate-tool.js';

/** @param rules Undefined until a registry has been loaded. */
export function gateWriteRelationship(opened: OpenedGate, rules: RulesInForce | undefined): Tool {
  const { gate } = opened;
  return defineGateTool(opened, {
    name: 'write_relationship',
    title: 'Write a relationship',
    description:
      'Write how two nodes are connected: a directed relationship of a registered type. ' +
      'Both nodes must exist: write them first with write_node, ' +
      'or set endpoint_policy to merge_endpoints to create stubs for missing ones. ' +
      'If it is rejected, nothing was written and the result says what to fix. ' +
      heldText +
      relationshipTypesText(rules),
    annotations: replaces,
    input: z.object({
      type: labelInput(
        'A relationship type of the schema, such as WORKS_AT; never a general one like RELATED',
      ),
      from_label: labelInput('The label of the node where it starts'),
      from_keys: keysInput('The merge_keys of that node'),
      to_label: labelInput('The label of the node where it ends'),
      to_keys: keysInput('The merge_keys of that node'),
      properties: propertiesInput('Data about the relationship; null removes a property').default({}),
      ...originInput(gate.extractionMethods()),
      endpoint_policy: z
        .enum(endpointPolicies)
        .default('fail_if_missing')
        .describe('What to do if a node does not exist: reject, or create a stub from its keys'),
    }),
    output: z.object({
      status: statusOutput,
      type: z.string().optional(),
      from: endpointOutput,
      to: endpointOutput,
      ...writtenOutput,
      ...heldOutput,
      ...warningsOutput,
      ...rejectionOutput,
    }),
    run: (target, author, given, view) => gate.writeRelationship(target, author, given, view),
  });
}
