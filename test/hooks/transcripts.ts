/** A conversation as Claude Code writes it down: JSON lines with a message each. */
export const claudeCode = lines(
  { type: 'user', isMeta: true, message: { role: 'user', content: 'Caveat: generated' } },
  { type: 'user', message: { role: 'user', content: '<command-name>/clear</command-name>' } },
  {
    type: 'user',
    message: { role: 'user', content: 'Let us add a cart.\nMy key is sk-abcdefghijklmnopqrstuvwx' },
  },
  {
    type: 'assistant',
    message: {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I will.' },
        {
          type: 'tool_use',
          id: '1',
          name: 'Edit',
          input: { file_path: '/src/shop/cart.ts', old_string: 'a' },
        },
        { type: 'tool_use', id: '2', name: 'Read', input: { file_path: '/src/shop/secret.ts' } },
        { type: 'tool_use', id: '3', name: 'Bash', input: { command: 'git commit -m "Add a cart"' } },
      ],
    },
  },
  {
    type: 'user',
    message: {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: '3',
          content: '[main 1a2b3c4] Add a cart\n 1 file changed, 2 insertions(+)',
        },
      ],
    },
  },
  { type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'Thanks, use euros.' }] } },
);

/** As Codex writes a rollout. */
export const codex = lines(
  { type: 'session_meta', payload: { id: 'c1', cwd: '/src/shop' } },
  {
    type: 'response_item',
    payload: {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: '<environment_context>' }],
    },
  },
  {
    type: 'response_item',
    payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Let us add a cart.' }] },
  },
  {
    type: 'response_item',
    payload: {
      type: 'custom_tool_call',
      name: 'apply_patch',
      input: '*** Begin Patch\n*** Update File: cart.ts\n@@\n*** End Patch',
    },
  },
  {
    type: 'response_item',
    payload: {
      type: 'function_call_output',
      call_id: '1',
      output: '{"output":"x"}\n[main 1a2b3c4] Add a cart\n',
    },
  },
);

/** As Cursor writes it. */
export const cursor = lines(
  { role: 'user', message: { content: [{ type: 'text', text: 'Let us add a cart.' }] } },
  {
    role: 'assistant',
    message: { content: [{ type: 'tool_use', name: 'StrReplace', input: { path: '/src/shop/cart.ts' } }] },
  },
);

/** As Gemini CLI writes it: one document. */
export const geminiCli = JSON.stringify({
  sessionId: 'g1',
  messages: [
    { type: 'user', content: 'Let us add a cart.' },
    {
      type: 'gemini',
      content: 'Done.',
      toolCalls: [{ name: 'replace', args: { file_path: '/src/shop/cart.ts' }, result: [{ text: 'ok' }] }],
    },
  ],
});

function lines(...records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}
