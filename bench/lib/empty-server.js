// @ts-check
// The yardstick for starting: the SDK alone, with a tool that does nothing.
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
