// @ts-check
// The yardstick: the SDK's own cost of carrying a call, with a tool that does nothing behind it.
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const tool = {
  name: 'nothing',
  description: 'Does nothing.',
  inputSchema: { type: /** @type {const} */ ('object') },
};
const nothing = { content: [{ type: /** @type {const} */ ('text'), text: '{}' }], structuredContent: {} };

serveStdio(() => {
  const server = new Server({ name: 'nothing', version: '0.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [tool] }));
  server.setRequestHandler('tools/call', () => nothing);
  return server;
});
