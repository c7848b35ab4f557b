import type { Json, State } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import { indent, safe, safeLines } from '@agent-criteria/report/terminal';
import { groupBy, type RunCall, type RunCase, tokenCounts } from '@agent-criteria/results';
import { formatCost } from '@agent-criteria/results/text';
import type { OpenedRun } from '@agent-criteria/runner';
import { type Io, painter } from './io.ts';

/** A recorded call with its request and answer. Either is `null` if its text is missing. */
export interface CallWithTexts extends Omit<RunCall, 'request' | 'answer'> {
  readonly request: Json;
  readonly answer: Json;
}

/** Returns the calls that criteria made for a case, by repeat, criterion, turn and sample, in request order. */
export function callsOf(opened: OpenedRun, { calls = [] }: RunCase): CallWithTexts[] {
  return calls
    .filter(({ role }) => role === 'criterion')
    .toSorted(inOrder)
    .map((call) => ({
      ...call,
      request: textOf(opened, call.request),
      answer: call.answer === undefined ? null : textOf(opened, call.answer),
    }));
}

function inOrder(a: RunCall, b: RunCall): number {
  const turn = ({ turn: own }: RunCall) => own ?? Number.POSITIVE_INFINITY;
  if (a.key.repeat !== b.key.repeat) return a.key.repeat - b.key.repeat;
  if (a.caller !== b.caller) return a.caller < b.caller ? -1 : 1;
  if (turn(a) !== turn(b)) return turn(a) - turn(b);
  return a.sample - b.sample || a.startedAt - b.startedAt;
}

function textOf(opened: OpenedRun, hash: string): Json {
  return JSON.parse(opened.text(hash));
}

/** Formats each distinct prompt once, as the judge saw it, with the answers of all samples. */
export function judgePrompts(opened: OpenedRun, one: RunCase, io: Io): string {
  const calls = callsOf(opened, one);
  const { caseId } = one.result;
  const byWhom = one.variant === undefined ? '' : ` (${safe(one.variant)})`;
  if (calls.length === 0) return `${safe(caseId)}${byWhom}: no judge was called for this case.\n`;
  const prompts = samePrompts(calls).map((samples) => promptText(samples, io));
  return `${byWhom === '' ? '' : `${safe(caseId)}${byWhom}:\n\n`}${prompts.join('\n')}`;
}

/**
 * Groups calls with the same prompt. All samples share one prompt, whereas a request to repair an answer has another.
 */
function samePrompts(calls: readonly CallWithTexts[]): readonly (readonly CallWithTexts[])[] {
  const groups = groupBy(calls, ({ caller, target, turn, key, request }) => {
    const asked = isObject(request) ? { ...request, sample: null } : request;
    return JSON.stringify([caller, target, turn, key.repeat, asked]);
  });
  return [...groups.values()];
}

function promptText(samples: readonly CallWithTexts[], io: Io): string {
  const [first] = samples;
  if (first === undefined) return '';
  const { bold } = painter(io);
  const { caller, target, turn, key, request } = first;
  const numbers = samples.map(({ sample }) => sample + 1);
  const place = [
    turn === null ? 'the conversation' : `turn ${turn + 1}`,
    ...(key.repeat > 0 ? [`repeat ${key.repeat + 1}`] : []),
    `${numbers.length > 1 ? 'samples' : 'sample'} ${numbers.join(', ')}`,
  ].join(', ');
  const asked = bold(`${safe(key.caseId)}: ${safe(caller)} asked ${safe(target)} about ${place}`);
  const answers = samples.map((call) => answerText(call, samples.length > 1, io));
  return `${asked}\n${requestText(request)}${answers.join('')}`;
}

function answerText(call: CallWithTexts, isOneOfMany: boolean, io: Io): string {
  const { red } = painter(io);
  const { answer, error, startedAt, endedAt, sample } = call;
  const which = isOneOfMany ? ` to sample ${sample + 1}` : '';
  if (error === undefined) return part(`answer${which} (${factsOf(call)})`, plain(answer));
  return `  ${red('error')}${which} (after ${endedAt - startedAt} ms)\n${indented(error.message)}`;
}

const FINISHES: Readonly<Record<string, string | undefined>> = {
  length: 'cut off at its token limit',
  blocked: 'blocked by a safety filter',
  other: 'ended for another reason',
};

/** Formats the source of an answer, its duration, tokens and cost. */
function factsOf({ from, finish = 'stop', usage, cost, startedAt, endedAt }: CallWithTexts): string {
  const counts = tokenCounts(usage);
  const some = (tokens: number, what: string) => (tokens > 0 ? ` (${tokens} ${what})` : '');
  return [
    from === 'cache' || from === 'recording' ? `from a ${from}` : `${endedAt - startedAt} ms`,
    ...(FINISHES[finish] === undefined ? [] : [FINISHES[finish]]),
    ...(counts === null
      ? []
      : [
          `${counts.inputTokens}${some(counts.cachedInputTokens, 'cached')} tokens sent`,
          `${counts.outputTokens}${some(counts.reasoningTokens, 'reasoning')} received`,
        ]),
    ...(cost === undefined ? [] : [`cost ${formatCost(cost)}`]),
  ].join(', ');
}

/** Formats a request: part by part for a language model, as JSON for any other service. */
function requestText(request: Json): string {
  if (!isObject(request)) return part('request', plain(request));
  // The heading above already names the sample.
  const { system, messages, schema, sample: _, ...rest } = request;
  if (!Array.isArray(messages)) return part('request', plain(request));
  const form = schema === undefined || schema === null ? '' : part('schema of the answer', plain(schema));
  const settings = Object.keys(rest).length === 0 ? '' : part('settings', plain(rest));
  const spoken = messages.map((message: Json) => {
    const { role, ...content } = isObject(message) ? message : { role: 'message', content: message };
    return part(String(role), plain(textInside(content)));
  });
  return `${system === undefined || system === null ? '' : part('system', plain(system))}${spoken.join('')}${form}${settings}`;
}

/** Returns the text of a message that contains only text, or else its content. */
function textInside(content: State): Json {
  const values = Object.values(content);
  if (values.length !== 1) return content;
  const [only = null] = values;
  if (!Array.isArray(only)) return only;
  const texts = only.map((item: Json) => (isObject(item) && Object.keys(item).length === 1 ? item.text : undefined));
  return texts.every((text) => typeof text === 'string') ? texts.join('') : content;
}

function plain(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null, null, 2);
}

function part(label: string, text: string): string {
  return `  ${safe(label)}\n${indented(text)}`;
}

function indented(text: string): string {
  return `${indent(safeLines(text), 4)}\n`;
}
