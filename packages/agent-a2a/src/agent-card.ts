import { type AgentDescription, CriteriaError } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';

/** The versions of the protocol that differ on the wire. */
export type ProtocolVersion = '0.3' | '1.0';

/** The content of an agent card, as far as it is used. */
export interface AgentCard {
  readonly name: string;
  readonly description: string;
  readonly skills: readonly Skill[];
  readonly isStreaming: boolean;
  /** Media types of what the agent and its skills take. */
  readonly inputModes: readonly string[];
  /** Where the agent answers JSON-RPC. */
  readonly endpoint: Endpoint;
}

export interface Skill {
  readonly name: string;
  readonly description: string;
}

export interface Endpoint {
  readonly url: URL;
  readonly version: ProtocolVersion;
  /** To be repeated in every request, or `null`. Only in version 1. */
  readonly tenant: string | null;
}

/**
 * Reads a card of protocol version 0.3 or 1.x, and chooses the first of its interfaces that is known here: JSON-RPC of the
 * newest version.
 *
 * @param file Where the card comes from, for messages.
 * @throws CriteriaError AGENT_FAILED for what is not a card, and NOT_SUPPORTED for an agent that only speaks something else.
 */
export function parseAgentCard(value: unknown, file: string): AgentCard {
  if (!isObject(value)) throw broken(file, 'it is not an object');
  const { name, description, capabilities, skills } = value;
  if (typeof name !== 'string' || name === '') throw broken(file, 'it has no name');
  const able = isObject(capabilities) ? capabilities : {};
  const required = list(able.extensions).filter((extension) => isObject(extension) && extension.required === true);
  if (required.length > 0) {
    const uris = required.map((extension) => textOf(Object(extension).uri)).join(', ');
    throw unsupported(
      file,
      `the agent "${name}" requires extensions of the protocol (${uris}), which are not known here`,
    );
  }
  const known = list(skills).filter(isObject);
  return {
    name,
    description: textOf(description),
    skills: known.map((skill) => ({
      name: textOf(skill.name) || textOf(skill.id),
      description: textOf(skill.description),
    })),
    isStreaming: able.streaming === true,
    inputModes: [...texts(value.defaultInputModes), ...known.flatMap((skill) => texts(skill.inputModes))],
    endpoint: endpointOf(value, name, file),
  };
}

interface Interface {
  readonly url: unknown;
  readonly transport: string;
  readonly version: string;
  readonly tenant?: unknown;
}

function endpointOf(card: Readonly<Record<string, unknown>>, name: string, file: string): Endpoint {
  const interfaces = [...newInterfaces(card), ...oldInterfaces(card)];
  const isKnown = ({ transport, version }: Interface): boolean => transport === 'JSONRPC' && majorOf(version) !== null;
  const found = interfaces.find((one) => isKnown(one) && majorOf(one.version) === '1.0') ?? interfaces.find(isKnown);
  if (found === undefined) {
    const offered = interfaces.map(({ transport, version }) => `${transport} ${version}`).join(', ') || 'no interface';
    throw unsupported(
      file,
      `the agent "${name}" offers ${offered}, but only JSONRPC of the versions 0.3 and 1.x can be used: let its server offer that, too`,
    );
  }
  const url = typeof found.url === 'string' && URL.canParse(found.url) ? new URL(found.url) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw broken(file, 'the url of its interface JSONRPC must start with http:// or https://');
  }
  if (url.username !== '' || url.password !== '')
    throw broken(file, 'the url of its interface JSONRPC has credentials');
  const version = majorOf(found.version) ?? '1.0';
  return { url, version, tenant: typeof found.tenant === 'string' && found.tenant !== '' ? found.tenant : null };
}

/** The interfaces of a card of version 1, which may list older ones, too. */
function newInterfaces(card: Readonly<Record<string, unknown>>): readonly Interface[] {
  return list(card.supportedInterfaces)
    .filter(isObject)
    .map(({ url, protocolBinding, protocolVersion, tenant }) => ({
      url,
      transport: textOf(protocolBinding),
      version: textOf(protocolVersion) || '1.0',
      tenant,
    }));
}

/** The main interface of a card of version 0.3, and its others. */
function oldInterfaces(card: Readonly<Record<string, unknown>>): readonly Interface[] {
  const { url, preferredTransport, protocolVersion } = card;
  if (url === undefined) return [];
  const version = textOf(protocolVersion) || '0.3';
  const main = { url, transport: textOf(preferredTransport) || 'JSONRPC', version };
  const others = list(card.additionalInterfaces).filter(isObject);
  return [main, ...others.map((one) => ({ url: one.url, transport: textOf(one.transport), version }))];
}

/** Version 0.2 has the methods and messages of 0.3. */
function majorOf(version: string): ProtocolVersion | null {
  if (/^1(?:\.|$)/.test(version)) return '1.0';
  return /^0\.[23](?:\.|$)/.test(version) ? '0.3' : null;
}

/** Whether an agent takes files, as far as its card says. */
export function takesFiles({ inputModes }: AgentCard): boolean {
  return inputModes.some((mode) => !/^(?:text|text\/plain|data|application\/json)(?:;|$)/i.test(mode.trim()));
}

/** Describes the agent of a card: its skills are the best account of what it can do. */
export function describeCard(card: AgentCard): AgentDescription {
  const skills = card.skills.map(({ name, description }) => (description === '' ? name : `${name}: ${description}`));
  const description = [card.description, ...skills].filter((text) => text !== '').join('\n');
  return { name: card.name, type: 'A2A', ...(description === '' ? {} : { description }) };
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function texts(value: unknown): readonly string[] {
  return list(value).filter((text) => typeof text === 'string');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function broken(file: string, problem: string): CriteriaError {
  return new CriteriaError({ code: 'AGENT_FAILED', file, message: `the agent card cannot be used: ${problem}` });
}

function unsupported(file: string, message: string): CriteriaError {
  return new CriteriaError({ code: 'NOT_SUPPORTED', file, message });
}
