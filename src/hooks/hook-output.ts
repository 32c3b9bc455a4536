/** Clients whose hooks Trellis can serve. */
export const hookClients = ['claude-code', 'codex', 'cursor', 'gemini-cli', 'opencode'] as const;

export type HookClient = (typeof hookClients)[number];

/** The brief as the client takes it into the context of the agent. */
export function sessionStartOutput(client: string, brief: string): string {
  if (client === 'opencode') return brief;
  if (client === 'cursor') return JSON.stringify({ additional_context: brief });
  return JSON.stringify({
    hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: brief },
  });
}
