import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { CodeState, SetWatch } from '../../api.ts';
import { appOf } from '../../apps/app.ts';
import { mistake } from '../../http/refusal.ts';
import { setOf } from '../../sets/find-sets.ts';
import type { Studio } from '../../studio.ts';
import type { Handlers } from './handlers.ts';

/** Milliseconds between two messages about a watched set. */
const INTERVAL = 100;

/** Watches the code of agents, and runs sets again when that changes. */
export function watchRoutes(studio: Studio) {
  const { agents, setWatches, mask } = studio;
  return {
    'GET /apps/:app/code': async ({ app }, c) => {
      const code = await agents.code(appOf(studio, app)).catch(() => null);
      return streamSSE(c, async (stream) => {
        if (code === null) return stream.writeSSE({ event: 'end', data: '{}' });
        await sendStates(
          stream,
          (listener) => code.watch(listener),
          (): CodeState => mask.json(code.state()),
        );
      });
    },
    'GET /apps/:app/sets/:set/watch': async ({ app, set }, c) => {
      const found = await setOf(studio, app, set);
      const sent = new Map<string, string>();
      const next = (): SetWatch => {
        const fresh = setWatches.verdicts(found).filter((one) => sent.get(one.case) !== one.verdict);
        for (const one of fresh) sent.set(one.case, one.verdict);
        return { ...mask.json(setWatches.state(found)), verdicts: fresh };
      };
      return streamSSE(c, (stream) => sendStates(stream, (listener) => setWatches.watch(listener), next));
    },
    'POST /apps/:app/sets/:set/watch': async ({ fields, ...path }) => {
      const maxCost = (await fields())('maxCost') ?? null;
      if (maxCost !== null && !(typeof maxCost === 'number' && maxCost > 0 && Number.isFinite(maxCost))) {
        throw mistake(['body', 'maxCost'], 'This must be a number above 0.');
      }
      setWatches.start(await setOf(studio, path.app, path.set), maxCost);
      return null;
    },
    'DELETE /apps/:app/sets/:set/watch': async ({ app, set }) => {
      setWatches.stop(await setOf(studio, app, set));
      return null;
    },
  } satisfies Partial<Handlers>;
}

/** Sends a state at once, and whenever it has changed, until the page is gone. */
async function sendStates(
  stream: SSEStreamingApi,
  watch: (listener: () => void) => () => void,
  state: () => object,
): Promise<void> {
  let isNew = true;
  let wake: () => void = () => undefined;
  const forget = watch(() => {
    isNew = true;
    wake();
  });
  stream.onAbort(() => wake());
  let before = '';
  while (!stream.aborted) {
    if (isNew) {
      isNew = false;
      const data = JSON.stringify(state());
      if (data !== before) await stream.writeSSE({ event: 'state', data });
      before = data;
      await stream.sleep(INTERVAL);
    } else {
      await new Promise<void>((settle) => {
        wake = settle;
      });
    }
  }
  forget();
}
