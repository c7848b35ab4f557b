import { CriteriaError } from '@agent-criteria/core';

/** Whether two addresses belong to one server. On this machine, it may call itself `localhost` or by a number. */
export function isSameOrigin(one: URL, other: URL): boolean {
  if (one.origin === other.origin) return true;
  return isLoopback(one) && isLoopback(other) && one.protocol === other.protocol && one.port === other.port;
}

/**
 * Checks that a card from elsewhere does not lead to this machine: it would be a trap, or made for the server's own machine.
 *
 * @throws CriteriaError AGENT_FAILED if it does.
 */
export function checkLoopback(url: URL, card: URL): void {
  if (isLoopback(card) || !isLoopback(url)) return;
  const message = `the card names ${url.origin}, which is this machine and not the agent's: let its server name its public address`;
  throw new CriteriaError({ code: 'AGENT_FAILED', file: card.href, message });
}

function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/i.test(hostname);
}
