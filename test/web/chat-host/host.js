// The host of an MCP App, as SEP-1865 describes web hosts. `callServer` is the MCP client of the test.
const heard = [];
let isReady = false;
const frame = document.createElement('iframe');
frame.title = 'Sandbox';
frame.sandbox.add('allow-scripts', 'allow-same-origin');
frame.style.width = '700px';
frame.src = 'http://sandbox.test/sandbox.html';

const send = (message) =>
  frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, 'http://sandbox.test');
const { html, capabilities, context, input, result } = await window.whatToShow();

const requests = {
  'ui/initialize': ({ protocolVersion }) => ({
    ...{ protocolVersion, hostInfo: { name: 'test-host', version: '0' } },
    ...{ hostCapabilities: capabilities, hostContext: context },
  }),
  'ui/request-display-mode': ({ mode }) => ({ mode }),
  'ui/update-model-context': () => ({}),
  'tools/call': (params) => window.callServer(params),
};

const notifications = {
  'ui/notifications/sandbox-proxy-ready': () =>
    send({ method: 'ui/notifications/sandbox-resource-ready', params: { html } }),
  'ui/notifications/initialized': () => {
    isReady = true;
    send({ method: 'ui/notifications/tool-input', params: { arguments: input } });
    send({ method: 'ui/notifications/tool-result', params: result });
  },
  'ui/notifications/size-changed': ({ height }) => {
    frame.style.height = `${height}px`;
  },
};

window.addEventListener('message', async ({ source, origin, data }) => {
  if (source !== frame.contentWindow || origin !== 'http://sandbox.test') return;
  const { id, method, params } = data;
  heard.push(data);
  if (id === undefined) return notifications[method]?.(params);
  if (method === undefined) return;
  try {
    if (requests[method] === undefined) throw new Error(`Method not found: ${method}`);
    send({ id, result: await requests[method](params) });
  } catch (error) {
    send({ id, error: { code: -32_000, message: error.message } });
  }
});

window.heard = heard;
/** A host sends nothing before the page says that it is ready. */
window.sendToPage = (message) => {
  if (!isReady) throw new Error('The page is not ready.');
  send(message);
};
document.body.append(frame);
