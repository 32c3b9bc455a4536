import type { Call } from './call.js';
import type { Tool } from './tool.js';

/** Something an agent can read by address. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  read(call: Call): Promise<string>;
}

/** A text an agent's user can ask for by name. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  text(): string;
}

/** The set of tools an agent is shown on a graph, with what goes along. */
export interface Surface {
  readonly name: string;
  /** What the server calls itself towards clients. */
  readonly serverName: string;
  readonly title: string;
  readonly instructions: string;
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
}
