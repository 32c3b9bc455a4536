import { z } from 'zod';
import type { RequestContext } from '../../surfaces/request-context.js';
import { visibleResources } from '../../surfaces/surface-registry.js';

const method = 'subscriptions/listen';

export function isListenRequest(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'method' in message && message.method === method;
}

const listenRequestShape = z.looseObject({
  params: z.looseObject({ notifications: z.looseObject({ resourceSubscriptions: z.array(z.string()) }) }),
});

interface SubscriptionListener {
  mayStillRead(): boolean;
  end(): void;
}

/** The SDK knows only what clients subscribed to; here nobody hears of a resource they may not read. */
export class SubscriptionListeners {
  readonly #open = new Set<SubscriptionListener>();

  async serve(
    context: RequestContext,
    message: unknown,
    answer: (message: unknown) => Promise<Response>,
  ): Promise<Response> {
    const parsed = listenRequestShape.safeParse(message);
    if (!parsed.success) return answer(message);
    const { params } = parsed.data;
    // An unreadable resource is left out like a missing one.
    const uris = params.notifications.resourceSubscriptions.filter((uri) => canRead(context, uri));
    const notifications = { ...params.notifications, resourceSubscriptions: uris };
    const response = await answer({ ...parsed.data, params: { ...params, notifications } });
    return this.#kept(response, () => uris.every((uri) => canRead(context, uri)));
  }

  /** Must run before each notification. */
  endUnauthorized(): void {
    for (const listener of [...this.#open]) if (!listener.mayStillRead()) listener.end();
  }

  #kept(response: Response, mayHear: () => boolean): Response {
    const reader = response.body?.getReader();
    if (reader === undefined) return response;
    const forget = () => this.#open.delete(listener);
    const listener: SubscriptionListener = {
      mayStillRead: mayHear,
      end() {
        forget();
        // The reader then finds the end.
        reader.cancel().catch(() => {});
      },
    };
    this.#open.add(listener);
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          forget();
          throw error;
        });
        if (!done) return controller.enqueue(value);
        forget();
        controller.close();
      },
      cancel(reason) {
        forget();
        return reader.cancel(reason);
      },
    });
    return new Response(body, response);
  }
}

function canRead(context: RequestContext, uri: string): boolean {
  return visibleResources(context).some((resource) => resource.uri === uri);
}
