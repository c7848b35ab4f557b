import { CriteriaError } from '@agent-criteria/core';

/** Where the card of an agent may lie, in the order in which the places are tried. */
export type CardAddresses = readonly [URL, ...URL[]];

/**
 * Parses the URL of an agent of the A2A protocol: that of its card, or that of its server, with or without `a2a+` before
 * it. The card of a server lies below its address, under the name of today or that of protocol versions before 0.3.
 *
 * @throws CriteriaError USAGE for any other URL, for one with credentials, which the message omits, and for one with a
 *   query, which may have some.
 */
export function cardAddresses(text: string): CardAddresses {
  const address = text.replace(/^a2a\+/i, '');
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw wrong('the URL of an agent must start with http:// or https://, or with a2a+ before it');
  }
  const shown = url.origin + url.pathname;
  if (url.username !== '' || url.password !== '' || url.search !== '') {
    const what = url.search === '' ? 'credentials' : 'parameters';
    throw wrong(
      `do not put ${what} into the URL of an agent, which is saved and printed: put what the server needs into headers (AGENT_CRITERIA_AGENT_TOKEN, AGENT_CRITERIA_AGENT_HEADERS)`,
      shown,
    );
  }
  if (url.pathname.toLowerCase().endsWith('.json')) return [new URL(shown)];
  const root = shown.replace(/\/+$/, '');
  return [new URL(`${root}/.well-known/agent-card.json`), new URL(`${root}/.well-known/agent.json`)];
}

function wrong(message: string, file?: string): CriteriaError {
  return new CriteriaError({ code: 'USAGE', message, file });
}
