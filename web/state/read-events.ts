interface ServerEvent {
  readonly id?: string;
  readonly event?: string;
}

/** The ids and kinds of server-sent events. `EventSource` cannot send a token, so this reads the stream of a fetch. */
export async function* readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let pending = '';
  let event: { id?: string; event?: string } = {};
  while (true) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (pending + value).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (event.id !== undefined || event.event !== undefined) yield event;
        event = {};
      } else if (line.startsWith('id: ')) event.id = line.slice(4);
      else if (line.startsWith('event: ')) event.event = line.slice(7);
    }
  }
}
