import type { SecretMask } from '@agent-criteria/masking';
import { type AdkEvent, isText, partsOf } from './event.ts';

interface Text {
  readonly text: string;
  readonly thought?: unknown;
}

/**
 * Masks secrets in the events of a turn, one by one. Because a secret may be split across partial events, text is held
 * back from its last space or non-ASCII character, and from where a known value may have started, until more arrives.
 * The rest is sent with the complete event.
 *
 * @returns `null` if nothing can be sent yet.
 */
export function maskedEvents(mask: SecretMask): (event: AdkEvent) => AdkEvent | null {
  /** Received and released text, by author and by whether it is a thought. */
  const open = new Map<string, { came: string; readonly shown: string }>();

  /**
   * Cuts off the last word and any text that may be the start of a secret, even if that start ends within the last
   * word.
   */
  function whole(came: string): string {
    let end = came.length - mask.begun(came);
    for (const cut of [came.search(/[\x21-\x7e]*$/), end]) {
      end = Math.min(end, cut);
      end -= mask.begun(came.slice(0, end));
    }
    return came.slice(0, end);
  }

  /** Returns the part of the text that can be released now. */
  function released(author: unknown, part: Text): Text | null {
    const key = JSON.stringify([author, Boolean(part.thought)]);
    const { came: before = '', shown = '' } = open.get(key) ?? {};
    const came = before + part.text;
    const masked = mask.text(whole(came));
    const isLonger = masked.length > shown.length && masked.startsWith(shown);
    open.set(key, { came, shown: isLonger ? masked : shown });
    return isLonger ? { ...part, text: masked.slice(shown.length) } : null;
  }

  return (event) => {
    const parts = partsOf(event);
    if (event.partial !== true || !parts.some(isText)) {
      if (event.partial !== true) open.clear();
      return mask.json(event);
    }
    const left = parts.flatMap((part) => (isText(part) ? (released(event.author, part) ?? []) : [part]));
    if (left.length === 0) return null;
    return mask.json({ ...event, content: { role: 'model', parts: left } }) as AdkEvent;
  };
}
