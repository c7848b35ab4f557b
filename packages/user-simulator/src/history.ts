import { type Content, type Invocation, isInvocationEvents, type Part, toolSteps } from '@agent-criteria/core';
import { messageText } from '@agent-criteria/judge';

/** The name used for an agent whose name was not recorded. */
const AGENT = 'agent';

/**
 * Renders a conversation as its user saw it: one entry for each text, with its author, and blank lines between entries.
 * Omits thoughts. Indents all lines of an entry except the first, so that no text can forge another entry.
 *
 * @param said The user's own messages by turn. They take precedence over those that the agent recorded.
 * @param functionCalls Adds tool calls and their results, as JSON.
 */
export function historyText(soFar: readonly Invocation[], said: readonly string[], functionCalls: boolean): string {
  return soFar
    .flatMap((invocation, turn) => [
      entry('user', said[turn] ?? messageText(invocation.userContent)),
      ...agentEntries(invocation, functionCalls),
    ])
    .join('\n\n');
}

function agentEntries(invocation: Invocation, functionCalls: boolean): string[] {
  const answers = textsOf(invocation.finalResponse);
  const name = answererOf(invocation);
  return [
    ...stepEntries(invocation, functionCalls),
    ...(answers.length === 0 ? [`(the ${AGENT} gave no answer)`] : answers.map((text) => entry(name, text))),
  ];
}

function stepEntries(invocation: Invocation, functionCalls: boolean): string[] {
  const data = invocation.intermediateData;
  if (!data) return [];
  if (isInvocationEvents(data)) {
    return (data.invocationEvents ?? []).flatMap(({ author, content }) =>
      (content?.parts ?? []).flatMap((part) => partEntries(agentName(author), part, functionCalls)),
    );
  }
  const steps = !functionCalls
    ? []
    : toolSteps(invocation).flatMap(({ call, response }) => [
        ...partEntries(AGENT, { functionCall: call }, true),
        ...(response === null ? [] : partEntries(AGENT, { functionResponse: response }, true)),
      ]);
  const texts = (data.intermediateResponses ?? []).flatMap(([author, parts]) =>
    parts.flatMap((part) => partEntries(agentName(author), part, false)),
  );
  return [...steps, ...texts];
}

function partEntries(author: string, part: Part, functionCalls: boolean): string[] {
  const { functionCall, functionResponse } = part;
  return [
    ...textsOf({ parts: [part] }).map((text) => entry(author, text)),
    ...(functionCalls && functionCall
      ? [`${author} calls the tool ${json(functionCall.name ?? '')} with ${json(functionCall.args ?? {})}`]
      : []),
    ...(functionCalls && functionResponse
      ? [`the tool ${json(functionResponse.name ?? '')} answers ${json(functionResponse.response ?? null)}`]
      : []),
  ];
}

/** Returns one text for each part. Describes other parts in words, because a text model cannot see them. */
function textsOf(content: Content | null | undefined): string[] {
  return (content?.parts ?? []).map((part) => messageText({ parts: [part] })).filter((text) => text.trim() !== '');
}

/** Returns the author of an answer. It is not recorded, so it is known only if there is a single agent. */
function answererOf({ intermediateData: data, appDetails }: Invocation): string {
  const authors = !data
    ? []
    : isInvocationEvents(data)
      ? (data.invocationEvents ?? []).map(({ author }) => author)
      : (data.intermediateResponses ?? []).map(([author]) => author);
  const names = new Set([...Object.keys(appDetails?.agentDetails ?? {}), ...authors]);
  const [only] = names;
  return only !== undefined && names.size === 1 ? agentName(only) : AGENT;
}

/** Returns an agent's name, changed if it starts with "user", which is reserved for the user's own entries. */
function agentName(author: string): string {
  const name = oneLine(author).trim();
  return name === '' ? AGENT : /^user/i.test(name) ? `${AGENT} "${name}"` : name;
}

function entry(author: string, text: string): string {
  return `${author}: ${indented(text)}`;
}

const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

function indented(text: string): string {
  return text.replace(LINE_BREAK, '\n  ');
}

function oneLine(text: string): string {
  return text.replace(LINE_BREAK, ' ');
}

/** Converts to JSON without line breaks of any kind. */
function json(value: unknown): string {
  const escaped = (mark: string): string => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[\u0085\u2028\u2029]/g, escaped);
}
