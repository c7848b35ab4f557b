import type { SecretMask } from '@agent-criteria/core/host';
import type { AdkEvent } from './chat-session.ts';
import { isText, partsOf } from './with-piece.ts';

/**
 * The events of a turn without known secrets, one after the other. A secret may come in two pieces: so a piece is held back from
 * its last blank or letter of another script on until more has come, and what is never released comes with the whole answer.
 *
 * @returns `null`: nothing of it can be shown yet.
 */
export function maskedEvents(mask: SecretMask): (event: AdkEvent) => AdkEvent | null {
  /** By author and kind: what came, and what was shown of it. */
  const open = new Map<string, { came: string; readonly shown: string }>();
  return (event) => {
    const [part, ...more] = partsOf(event);
    if (event.partial !== true || more.length > 0 || !isText(part)) {
      if (event.partial !== true) open.clear();
      return mask.json(event);
    }
    const key = JSON.stringify([event.author, Boolean(part.thought)]);
    const { came: before = '', shown = '' } = open.get(key) ?? {};
    const came = before + part.text;
    const masked = mask.text(came.slice(0, came.search(/[\x21-\x7e]*$/)));
    const isLonger = masked.length > shown.length && masked.startsWith(shown);
    open.set(key, { came, shown: isLonger ? masked : shown });
    if (!isLonger) return null;
    const parts = [{ ...part, text: masked.slice(shown.length) }];
    return mask.json({ ...event, content: { role: 'model', parts } }) as AdkEvent;
  };
}
