import type { AppDetails, FunctionResponse, Invocation } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';
import {
  type AgentStep,
  appDetailsOf,
  invocationOf,
  type ReadCall,
  toolDeclarations,
  usageMetadata,
} from '@agent-criteria/formats/messages';
import { AGENT } from '../conversation.ts';
import { readMessages } from '../messages/read-messages.ts';
import { readParts } from '../messages/read-parts.ts';
import { mastraAnswer, mastraInput, namedTools, withMastraStep } from './read-mastra.ts';
import { type ModelCall, readModelCall, textOfInstructions } from './read-model-call.ts';
import { readToolCall } from './read-tool-call.ts';
import { kindOf } from './span-kind.ts';
import { fromConvention, type Message, partsOf } from './to-messages.ts';
import { type TraceSpan, textAt, valueAtAttribute } from './trace-span.ts';

/** A span with those below it, in the order in which they began. */
export interface SpanTree {
  readonly span: TraceSpan;
  readonly children: readonly SpanTree[];
}

/** The turn of an agent that a trace shows. */
export interface TracedTurn {
  readonly invocation: Invocation;
  /** The turns before it, as far as the model was sent them. */
  readonly history: readonly Invocation[];
}

/**
 * Reads a turn from the root span of an agent: its texts and calls in the order in which they began, and the
 * answer. Returns `null`, after noting it, if the content of messages was not recorded.
 */
export function readTurn(root: SpanTree, lose: (what: string) => void): TracedTurn | null {
  const found = stepsIn(root, lose);
  const asked = askedOf(root, found);
  if (asked.length === 0) {
    lose('traces without a message of the user, whose content was not recorded, left out');
    return null;
  }
  const at = asked.findLastIndex(({ role }) => role === 'user');
  const { turns } = readMessages(asked.slice(0, at + 1), { onLoss: lose });
  const own = turns.at(-1);
  if (own === undefined) {
    lose('traces without a message of the user, left out');
    return null;
  }
  const author = nameOf(root.span) ?? AGENT;
  const { steps, answer } = answered(repliesIn(found, author, lose), mastraAnswer(root.span));
  const appDetails = detailsOf(root, found, author);
  const grounding = found.findLast((one) => one.kind === 'model')?.call.grounding;
  const invocation = invocationOf({ userContent: own.userContent, answer, steps, author, grounding });
  return {
    invocation: {
      ...invocation,
      ...(appDetails === null ? {} : { appDetails }),
      creationTimestamp: root.span.startedAt / 1000,
    },
    history: turns.slice(0, -1),
  };
}

type Found =
  | { readonly kind: 'model'; readonly call: ModelCall; readonly author: string | undefined }
  | { readonly kind: 'tool'; readonly call: ReadCall; readonly author: string | undefined; readonly span: TraceSpan };

/** Lists the calls to models and tools below an agent, in order. Those inside a tool are the tool's own. */
function stepsIn({ span: root, children }: SpanTree, lose: (what: string) => void): readonly Found[] {
  const found: Found[] = [];
  const visit = (
    { span, children: below }: SpanTree,
    author: string | undefined,
    isInTool: boolean,
    around?: TraceSpan,
  ): void => {
    const kind = kindOf(span);
    if (kind !== null && isInTool && kind !== 'agent') {
      lose(`calls to ${kind}s that a tool made itself, left out`);
      return;
    }
    if (kind === 'tool') found.push({ kind, call: readToolCall(span), author, span });
    if (kind === 'model') {
      // Two instrumentations, such as those of a framework and of a client, record the same call one inside the other.
      const same = below.filter((child) => kindOf(child.span) === 'model');
      const call = [span, ...same.map((child) => child.span)].map(readModelCall).reduce(joinedCall);
      found.push({ kind, call: withMastraStep(call, around), author });
      for (const child of below) if (!same.includes(child)) visit(child, author, isInTool);
      return;
    }
    const by = kind === 'agent' ? (nameOf(span) ?? author) : author;
    for (const child of below) visit(child, by, isInTool || kind === 'tool', span);
  };
  if (kindOf(root) === 'agent') for (const child of children) visit(child, nameOf(root), false);
  else visit({ span: root, children }, undefined, false);
  return found;
}

/** Takes from the second record of a call what the first one lacks. */
function joinedCall(first: ModelCall, second: ModelCall): ModelCall {
  return {
    input: first.input.length > 0 ? first.input : second.input,
    output: first.output.length > 0 ? first.output : second.output,
    instructions: first.instructions ?? second.instructions,
    tools: first.tools ?? second.tools,
    model: first.model ?? second.model,
    usage: first.usage ?? second.usage,
    grounding: first.grounding ?? second.grounding,
  };
}

/** Returns the messages that the agent was sent: those of its own span, or of its first call to a model. */
function askedOf({ span }: SpanTree, found: readonly Found[]): readonly Message[] {
  const first = found.find((one) => one.kind === 'model');
  const ofModel = first?.call.input ?? [];
  if (ofModel.some(({ role }) => role === 'user')) return ofModel;
  const own = fromConvention(valueAtAttribute(span.attributes, 'gen_ai.input.messages')).filter(
    ({ role }) => role !== 'system',
  );
  if (own.some(({ role }) => role === 'user')) return own;
  const ofMastra = mastraInput(span);
  if (ofMastra.some(({ role }) => role === 'user')) return ofMastra;
  const prompt = valueAtAttribute(span.attributes, 'ai.prompt');
  if (isObject(prompt) && Array.isArray(prompt.messages)) return prompt.messages.filter(isObject);
  const text = isObject(prompt) ? prompt.prompt : textAt(span, 'input.value', 'traceloop.entity.input');
  return typeof text === 'string' ? [{ role: 'user', content: text }] : [];
}

/** Takes the answer from the span of the agent where the calls to models leave it open. */
function answered(replies: ReturnType<typeof repliesIn>, text: string | undefined): ReturnType<typeof repliesIn> {
  if (replies.answer !== null || text === undefined) return replies;
  const steps = replies.steps.filter((step) => step.kind !== 'text' || step.text !== text);
  return { steps, answer: { role: 'model', parts: [{ text }] } };
}

/** Makes the steps of a turn, and its answer: the last text of a model, unless a call follows it. */
function repliesIn(found: readonly Found[], author: string, lose: (what: string) => void) {
  const steps: AgentStep[] = [];
  const spanOf = callsThatRan(found);
  const results = resultsIn(found, lose);
  /** The calls that a model asked for before they ran. */
  const asked = new Set<ReadCall>();
  let answer: number | null = null;
  for (const one of found) {
    const by = one.author === undefined || one.author === author ? {} : { author: one.author };
    answer = null;
    if (one.kind === 'tool') {
      const { response } = one.call;
      if (!asked.has(one.call)) steps.push({ kind: 'call', ...one.call, ...by });
      else if (response !== null) steps.push({ kind: 'response', response, ...by });
      continue;
    }
    const { output, model, usage } = one.call;
    const counts = usageMetadata(usage);
    if (model !== undefined || counts !== undefined) steps.push({ kind: 'model', model, usage: counts, ...by });
    for (const { part, step } of output.flatMap((message) => readParts(partsOf(message), lose))) {
      if (step === null) lose('files that a model answered, left out');
      else if (step.kind === 'call') {
        answer = null;
        const ran = spanOf(step);
        if (ran === null) steps.push({ ...step, response: responseTo(step, results), ...by });
        else {
          asked.add(ran);
          steps.push({ kind: 'call', ...ran, response: null, ...by });
        }
      } else {
        if (part !== null) answer = steps.length;
        steps.push({ ...step, ...by });
      }
    }
  }
  const said = answer === null ? undefined : steps[answer];
  if (said?.kind !== 'text') return { steps, answer: null };
  return {
    steps: steps.filter((step) => step !== said),
    answer: { role: 'model', parts: [{ text: said.text }] },
  };
}

/**
 * Returns a function that finds the span of a call in the answer of a model, each once. ADK gives calls their ids only
 * after the model has answered.
 */
function callsThatRan(found: readonly Found[]): (asked: ReadCall) => ReadCall | null {
  const ran = found.flatMap((one) => (one.kind === 'tool' ? [one.call] : []));
  return ({ call }) => {
    const same = (id: unknown) => id !== undefined && id === call.id;
    const alike = ran.findIndex(
      ({ call: { id, name, args } }) =>
        same(id) || ((!id || !call.id) && name === call.name && JSON.stringify(args) === JSON.stringify(call.args)),
    );
    return alike === -1 ? null : (ran.splice(alike, 1)[0] ?? null);
  };
}

/** Finds the results of calls without spans, such as those of tools that run in a browser: models are sent them later. */
function resultsIn(found: readonly Found[], lose: (what: string) => void): ReadonlyMap<string, FunctionResponse> {
  const messages = found.flatMap((one) => (one.kind === 'model' ? one.call.input : []));
  const results = new Map<string, FunctionResponse>();
  for (const message of messages) {
    if (message.role !== 'tool') continue;
    for (const { step } of readParts(partsOf(message), lose)) {
      if (step?.kind === 'response' && step.response.id) results.set(step.response.id, step.response);
    }
  }
  return results;
}

function responseTo(
  { call, response }: ReadCall,
  results: ReadonlyMap<string, FunctionResponse>,
): ReadCall['response'] {
  const later = call.id ? results.get(call.id) : undefined;
  return later === undefined ? response : { ...later, name: call.name ?? '' };
}

function detailsOf({ span }: SpanTree, found: readonly Found[], author: string): AppDetails | null {
  const first = found.find((one) => one.kind === 'model');
  const ofAgent = textOfInstructions(valueAtAttribute(span.attributes, 'gen_ai.system_instructions'));
  const { instructions = ofAgent, tools } = first?.call ?? {};
  const calls = found.flatMap((one) => (one.kind === 'tool' ? [one.span] : []));
  const declared = toolDeclarations(isTools(tools) ? tools : namedTools(span, calls));
  return appDetailsOf([{ name: author, instructions, tools: declared.length === 0 ? undefined : declared }]);
}

function isTools(tools: unknown): tools is readonly object[] {
  return Array.isArray(tools) && tools.length > 0 && tools.every(isObject);
}

function nameOf(span: TraceSpan): string | undefined {
  const known = textAt(span, 'gen_ai.agent.name', 'agent.name', 'ai.telemetry.functionId', 'traceloop.entity.name');
  // Genkit names every span so; a flow is the agent.
  return known ?? (kindOf(span) === 'agent' ? textAt(span, 'genkit:name') : undefined);
}
