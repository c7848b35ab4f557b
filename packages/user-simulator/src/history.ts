import { type Content, type Invocation, isInvocationEvents, type Part, toolSteps } from '@agent-criteria/core';
import { messageText } from '@agent-criteria/judge';

/** The speaker if it was not recorded which agent it was. */
const AGENT = 'agent';

/**
 * A conversation as its user saw it: one entry per text, with the name of its author, and a blank line between entries.
 * Thoughts are left out. Further lines of an entry are indented, so that no entry can contain what looks like another.
 *
 * @param said The user's own messages, by turn: they count, whatever the agent recorded.
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

/** One text per part. Parts that are not text are described in words, because a text model cannot see them. */
function textsOf(content: Content | null | undefined): string[] {
  return (content?.parts ?? []).map((part) => messageText({ parts: [part] })).filter((text) => text.trim() !== '');
}

/** The author of an answer is not recorded: it is known only if there is just one agent. */
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

/** Only the user's own entries may start with "user". */
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

/** As JSON, without a line break of any kind. */
function json(value: unknown): string {
  const escaped = (mark: string): string => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/[\u0085\u2028\u2029]/g, escaped);
}
