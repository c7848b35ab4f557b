import {
  CriteriaError,
  contentText,
  type Invocation,
  intermediateTexts,
  toolCalls,
  toolSteps,
} from '@agent-criteria/core';
import { groupOf, tagsOf } from '@agent-criteria/formats';
import { csvLine } from '@agent-criteria/report';
import { currentLabels, type Label, type RunCase, type RunInference } from '@agent-criteria/results';
import { type OpenedRun, readLabels } from '@agent-criteria/runner';
import { type Loss, type LossList, openLosses } from '../losses.ts';
import { agentsCliCase } from './agents-cli-case.ts';
import { conversationTraces } from './traces/conversation-traces.ts';
import { toolsOf, writeMessages } from './write-messages.ts';

/**
 * The formats that can be written: JSON Lines of messages, CSV with a row for each turn, datasets of agents-cli, and
 * traces of OpenTelemetry with the results of criteria beside them.
 */
export const EXPORT_FORMATS = ['messages', 'csv', 'agents-cli', 'traces'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportedRun {
  /** The text of the file, piece by piece. */
  readonly text: AsyncIterable<string>;
  /** Everything that the format cannot express, so far. */
  losses(): readonly Loss[];
  /** The number of conversations so far. */
  count(): number;
}

/**
 * Writes the conversations of a run, with people's labels of whole conversations, so that `import` reads them again.
 * Where several people labelled a conversation, the last label is written.
 */
export function exportRun(run: OpenedRun, format: ExportFormat): ExportedRun {
  const losses = openLosses();
  const labels = labelsOf(run, losses);
  let count = 0;
  async function* text(): AsyncGenerator<string> {
    if (format === 'csv') yield csvLine(CSV_COLUMNS);
    if (format === 'agents-cli') yield '{"eval_cases":[';
    for await (const one of run.cases()) {
      for (const recorded of one.inferences) {
        count += 1;
        const about = conversationOf(run, one, recorded, labels);
        if (format === 'csv') yield csvRows(about, losses);
        else if (format === 'traces') yield traceLines(run, one, recorded, about, losses);
        else if (format === 'messages') yield `${messageRecord(about, losses)}\n`;
        else yield `${count === 1 ? '' : ','}\n${agentsCliRecord(about, losses)}`;
      }
    }
    if (count === 0)
      throw new CriteriaError({ code: 'EMPTY', file: run.folder, message: 'the run has no conversation' });
    if (format === 'agents-cli') yield '\n]}\n';
  }
  return { text: text(), losses: () => losses.list(), count: () => count };
}

interface ExportedConversation {
  readonly id: string;
  readonly repeat: number | undefined;
  readonly turns: readonly Invocation[];
  readonly expected: readonly Invocation[];
  readonly label: Label | undefined;
  readonly group: string | null;
  readonly tags: readonly string[];
  readonly error: string | undefined;
  readonly where: string;
}

function conversationOf(
  run: OpenedRun,
  { setId, variant, evalCase }: RunCase,
  { key, inference }: RunInference,
  labels: ReadonlyMap<string, Label>,
): ExportedConversation {
  // Names are unique in the file, although cases of several sets or variants may share an id.
  const set = run.sets.length > 1 ? `${setId}/` : '';
  const id = `${set}${evalCase.evalId}${variant === undefined ? '' : `/${variant}`}`;
  const { ending } = inference;
  return {
    id,
    repeat: run.info.repeats > 1 ? key.repeat + 1 : undefined,
    turns: inference.invocations,
    expected: evalCase.conversation ?? [],
    label: labels.get(labelKey({ setId, caseId: evalCase.evalId, variant, repeat: key.repeat })),
    group: groupOf(evalCase),
    tags: tagsOf(evalCase),
    error: ending.by === 'error' ? ending.error.message : undefined,
    where: id,
  };
}

function labelKey({ setId, caseId, variant, repeat }: Pick<Label, 'setId' | 'caseId' | 'variant' | 'repeat'>): string {
  return JSON.stringify([setId, caseId, variant ?? null, repeat]);
}

/** Returns the labels of whole conversations. */
function labelsOf({ folder, info }: OpenedRun, losses: LossList): ReadonlyMap<string, Label> {
  const found = new Map<string, Label>();
  for (const label of currentLabels(readLabels(folder, info.scoring))) {
    if (label.turn === null && label.criterion === null) found.set(labelKey(label), label);
    else losses.add('labels of single turns and criteria, left out', label.caseId);
  }
  return found;
}

/** Returns the expected answer of the last turn. */
function referenceOf({ turns, expected, where }: ExportedConversation, losses: LossList): string | undefined {
  const last = turns.length - 1;
  for (const [index, turn] of expected.entries()) {
    if (index !== last && turn.finalResponse) losses.add('expected answers of turns before the last, left out', where);
    if (toolCalls(turn).length > 0) losses.add('expected tool calls, left out', where);
  }
  const text = contentText(expected[last]?.finalResponse);
  return text === '' ? undefined : text;
}

function messageRecord(one: ExportedConversation, losses: LossList): string {
  const { id, repeat, turns, label, group, tags, error, where } = one;
  const tools = toolsOf(turns);
  return JSON.stringify({
    id,
    repeat,
    messages: writeMessages(turns, (what) => losses.add(what, where)),
    tools: tools.length === 0 ? undefined : tools,
    reference: referenceOf(one, losses),
    label: label?.label ?? undefined,
    reason: label?.reason ?? undefined,
    group: group ?? undefined,
    tags: tags.length === 0 ? undefined : tags,
    error,
  });
}

function agentsCliRecord(one: ExportedConversation, losses: LossList): string {
  const { id, repeat, turns, label, group, tags, error, where } = one;
  const lose = (what: string): void => losses.add(what, where);
  if (label !== undefined) lose('labels, left out');
  if (group !== null || tags.length > 0) lose('groups and tags, left out');
  if (error !== undefined) lose('errors of agents, left out');
  // Cases need ids of their own.
  const own = repeat === undefined ? id : `${id}/${repeat}`;
  return JSON.stringify(agentsCliCase({ id: own, turns, reference: referenceOf(one, losses) }, lose));
}

/** Writes the traces of a conversation, and in a line of their own the results of criteria. */
function traceLines(
  { info }: OpenedRun,
  { result }: RunCase,
  recorded: RunInference,
  one: ExportedConversation,
  losses: LossList,
): string {
  const { id, repeat, turns, expected, label, group, tags, error, where } = one;
  const lose = (what: string): void => losses.add(what, where);
  if (label !== undefined) lose('labels, left out');
  if (group !== null || tags.length > 0) lose('groups and tags, left out');
  if (expected.some((turn) => turn.finalResponse)) lose('expected answers, left out');
  if (expected.some((turn) => toolCalls(turn).length > 0)) lose('expected tool calls, left out');
  // The score of an only turn is that of its case.
  if (result.criteria.some((one) => one.turns.length > 1)) lose('scores of single turns, left out');
  if (repeat !== undefined) {
    lose('repeats of cases, each written as a conversation of its own');
    if (result.criteria.length > 0) lose('results of all repeats of a case together, left out');
  }
  const own = repeat === undefined ? id : `${id}/${repeat}`;
  const given = { id: own, info, recorded, turns, result, error };
  return conversationTraces(given, lose)
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

const CSV_COLUMNS = [
  'id',
  'repeat',
  'turn',
  'user',
  'calls',
  'answer',
  'reference',
  'label',
  'reason',
  'group',
  'tags',
  'error',
];

/** Writes a row for each turn. What is about the whole conversation is in the row of the last turn, or of the first. */
function csvRows(one: ExportedConversation, losses: LossList): string {
  const { id, repeat, turns, label, group, tags, error, where } = one;
  const lose = (what: string) => losses.add(what, where);
  if (turns.some(({ appDetails }) => appDetails)) lose('instructions and tools of the agent, left out');
  const reference = referenceOf(one, losses);
  return turns
    .map((turn, index) => {
      const [isFirst, isLast] = [index === 0, index === turns.length - 1];
      if (intermediateTexts(turn).length > 0) lose('texts before the answer, left out');
      const parts = [...(turn.userContent.parts ?? []), ...(turn.finalResponse?.parts ?? [])];
      if (parts.some(({ text }) => typeof text !== 'string')) lose('files in messages, left out');
      const calls = toolSteps(turn).map(({ call: { name, args }, response }) => ({
        name,
        args: args ?? undefined,
        result: response?.response ?? undefined,
      }));
      return csvLine([
        id,
        repeat,
        index + 1,
        contentText(turn.userContent),
        calls.length === 0 ? '' : JSON.stringify(calls),
        contentText(turn.finalResponse),
        isLast ? reference : '',
        isFirst ? label?.label : '',
        isFirst ? label?.reason : '',
        isFirst ? group : '',
        isFirst && tags.length > 0 ? JSON.stringify(tags) : '',
        isFirst ? error : '',
      ]);
    })
    .join('');
}
