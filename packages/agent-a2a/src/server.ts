import {
  type Advice,
  askJson,
  type Connection,
  type Credentials,
  credentialsFrom,
  howToSignIn,
  isRefusal,
} from '@agent-criteria/calls/agent-server';
import { CriteriaError } from '@agent-criteria/core';
import { type AgentCard, type Endpoint, type ProtocolVersion, parseAgentCard } from './agent-card.ts';
import type { CardAddresses } from './card-address.ts';
import { checkLoopback, isSameOrigin } from './card-origin.ts';
import type { A2aAgentOptions } from './options.ts';

/** The agent of a card, and how to reach it. */
export interface AgentServer {
  readonly card: AgentCard;
  readonly connection: Connection;
}

const ADVICE: Advice = {
  signIn: howToSignIn,
  start: "start the agent's server",
  notJson: 'is this the address of an A2A agent?',
};

const MAX_ANSWER_BYTES = 50_000_000;
/** The maximum size of a card in bytes. Cards are a few kilobytes long. */
const MAX_CARD_BYTES = 1_000_000;

/**
 * Fetches the card of an agent. A place where there is none is skipped as long as there are others.
 *
 * @throws CriteriaError AGENT_FAILED or TIMEOUT if it cannot be reached or is not a card.
 */
export async function readServer(
  addresses: CardAddresses,
  options: A2aAgentOptions,
  request: { readonly timeout: number; readonly signal?: AbortSignal | undefined },
): Promise<AgentServer> {
  let missing: CriteriaError | null = null;
  for (const address of addresses) {
    const connection: Connection = {
      server: address.href,
      maxAnswerBytes: MAX_CARD_BYTES,
      advice: ADVICE,
      // Servers of several versions send the card of the version that is asked for.
      credentials: async () => versioned(await credentialsFrom(options, process.env), '1.0'),
    };
    const answer = await askJson(connection, { method: 'GET', path: '', ...request });
    if (isRefusal(answer)) {
      if (answer.status !== 404 || addresses.length === 1) throw answer.error;
      missing ??= noCard(address);
      continue;
    }
    const card = parseAgentCard(answer.body, address.href);
    checkLoopback(card.endpoint.url, address);
    return { card, connection: connectionTo(card.endpoint, [address.origin], options) };
  }
  throw missing ?? noCard(addresses[0]);
}

/** Uses a card that is known. The address on it is trusted, because the user chose it. */
export function serverOfCard(card: AgentCard, options: A2aAgentOptions): AgentServer {
  return { card, connection: connectionTo(card.endpoint, [card.endpoint.url.origin], options) };
}

/**
 * Connects to the address on a card. A card may name any address, so credentials go only to the origins that are trusted.
 */
function connectionTo({ url, version }: Endpoint, trusted: readonly string[], options: A2aAgentOptions): Connection {
  const { maxAnswerBytes = MAX_ANSWER_BYTES, trustedOrigins = [] } = options;
  const isTrusted = [...trusted, ...trustedOrigins].some((origin) => isSameOrigin(new URL(origin), url));
  const signIn = isTrusted
    ? howToSignIn
    : `the token and the headers were not sent, because the card is at ${trusted.join(', ')}: if you trust ${url.origin}, add it to trustedOrigins`;
  return {
    server: url.href,
    maxAnswerBytes,
    advice: { ...ADVICE, signIn },
    async credentials(): Promise<Credentials> {
      const { headers, hide } = await credentialsFrom(options, process.env);
      return versioned({ headers: isTrusted ? headers : {}, hide }, version);
    },
  };
}

/** Adds the header with the version. Clients of version 0.3 send none. */
function versioned({ headers, hide }: Credentials, version: ProtocolVersion): Credentials {
  return { headers: version === '0.3' ? headers : { ...headers, 'a2a-version': version }, hide };
}

function noCard(address: URL): CriteriaError {
  const message =
    'there is no agent card (404), also not at agent.json: correct the URL, or give the address of the card itself';
  return new CriteriaError({ code: 'AGENT_NOT_FOUND', file: address.href, message });
}
