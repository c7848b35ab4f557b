import type { Content, FunctionCall, FunctionResponse, Invocation, InvocationEvent, Part } from '@agent-criteria/core';

/** An expected event between a message and the answer to it. */
export type Step =
  | { readonly kind: 'call'; readonly call: FunctionCall }
  | { readonly kind: 'result'; readonly result: FunctionResponse }
  | { readonly kind: 'text'; readonly author: string; readonly text: string };

export type StepKind = Step['kind'];

/** Position of a step in its turn. */
export interface Place {
  /** Index of an event, or index in the list for its kind. */
  readonly at: number;
  /** Index of the part within it. */
  readonly part: number;
}

export interface PlacedStep {
  readonly step: Step;
  readonly place: Place;
}

type Data = NonNullable<Invocation['intermediateData']>;
type Events = readonly InvocationEvent[];

/** Lists the expected steps of a turn in either format, ignoring other parts. */
export function stepsOf({ intermediateData: data }: Invocation): readonly PlacedStep[] {
  const events = eventsOf(data);
  if (events !== null) return events.flatMap((event, at) => partsOf(event).flatMap(placed(event.author, at)));
  if (data === null || data === undefined || 'invocationEvents' in data) return [];
  const { toolUses = [], toolResponses = [], intermediateResponses = [] } = data as Lists;
  return [
    ...toolUses.map((call, at): PlacedStep => ({ step: { kind: 'call', call }, place: { at, part: 0 } })),
    ...toolResponses.map((result, at): PlacedStep => ({ step: { kind: 'result', result }, place: { at, part: 0 } })),
    ...intermediateResponses.flatMap(([author, parts], at) =>
      parts.flatMap(placed(author, at)).filter(({ step }) => step.kind === 'text'),
    ),
  ];
}

/** Replaces a step with another of the same kind. */
export function changeStep(turn: Invocation, { at, part }: Place, step: Step): Invocation {
  return withData(turn, (data) => {
    const events = eventsOf(data);
    if (events !== null) {
      return {
        ...data,
        invocationEvents: replaced(events, at, (event) => ({
          ...event,
          ...(step.kind === 'text' ? { author: step.author } : {}),
          content: withParts(
            event.content,
            replaced(partsOf(event), part, (before) => partOf(step, before)),
          ),
        })),
      };
    }
    const lists = data as Lists;
    if (step.kind === 'call') return { ...data, toolUses: replaced(lists.toolUses, at, () => step.call) };
    if (step.kind === 'result') return { ...data, toolResponses: replaced(lists.toolResponses, at, () => step.result) };
    const texts = replaced(lists.intermediateResponses, at, ([, parts]): [string, Part[]] => [
      step.author,
      replaced(parts, part, (before) => partOf(step, before)),
    ]);
    return { ...data, intermediateResponses: texts };
  });
}

/** Removes a step, and its event or entry if nothing else is left in it. */
export function removeStep(turn: Invocation, kind: StepKind, { at, part }: Place): Invocation {
  return withData(turn, (data) => {
    const events = eventsOf(data);
    if (events !== null) {
      const left = replaced(events, at, (event) => ({
        ...event,
        content: withParts(event.content, partsOf(event).toSpliced(part, 1)),
      }));
      return { ...data, invocationEvents: left.filter((event, place) => place !== at || partsOf(event).length > 0) };
    }
    const { toolUses = [], toolResponses = [], intermediateResponses = [] } = data as Lists;
    if (kind === 'call') return { ...data, toolUses: toolUses.toSpliced(at, 1) };
    if (kind === 'result') return { ...data, toolResponses: toolResponses.toSpliced(at, 1) };
    const left = replaced(intermediateResponses, at, ([author, parts]): [string, Part[]] => [
      author,
      parts.toSpliced(part, 1),
    ]);
    return { ...data, intermediateResponses: left.filter(([, parts], place) => place !== at || parts.length > 0) };
  });
}

/** Adds a step after the existing ones of its kind. */
export function addStep(turn: Invocation, step: Step): Invocation {
  return withData(turn, (data) => {
    const events = eventsOf(data);
    if (events !== null) {
      const author = step.kind === 'text' ? step.author : (events.at(-1)?.author ?? 'agent');
      const role = step.kind === 'result' ? 'user' : 'model';
      return { ...data, invocationEvents: [...events, { author, content: { role, parts: [partOf(step)] } }] };
    }
    const { toolUses = [], toolResponses = [], intermediateResponses = [] } = data as Lists;
    if (step.kind === 'call') return { ...data, toolUses: [...toolUses, step.call] };
    if (step.kind === 'result') return { ...data, toolResponses: [...toolResponses, step.result] };
    return { ...data, intermediateResponses: [...intermediateResponses, [step.author, [partOf(step)]]] };
  });
}

interface Lists {
  readonly toolUses?: FunctionCall[];
  readonly toolResponses?: FunctionResponse[];
  readonly intermediateResponses?: [string, Part[]][];
}

function eventsOf(data: Invocation['intermediateData']): Events | null {
  return data && 'invocationEvents' in data && data.invocationEvents ? data.invocationEvents : null;
}

function partsOf({ content }: InvocationEvent): readonly Part[] {
  return content?.parts ?? [];
}

function placed(author: string, at: number): (part: Part, place: number) => readonly PlacedStep[] {
  return (part, place) => {
    const step = stepOf(part, author);
    return step === null ? [] : [{ step, place: { at, part: place } }];
  };
}

function stepOf({ functionCall, functionResponse, text }: Part, author: string): Step | null {
  if (functionCall) return { kind: 'call', call: functionCall };
  if (functionResponse) return { kind: 'result', result: functionResponse };
  return typeof text === 'string' ? { kind: 'text', author, text } : null;
}

function partOf(step: Step, before: Part = {}): Part {
  if (step.kind === 'call') return { ...before, functionCall: step.call };
  if (step.kind === 'result') return { ...before, functionResponse: step.result };
  return { ...before, text: step.text };
}

function withParts(content: Content | null | undefined, parts: readonly Part[]): Content {
  return { ...content, parts: [...parts] };
}

function withData(turn: Invocation, change: (data: Data) => object): Invocation {
  return { ...turn, intermediateData: change(turn.intermediateData ?? {}) as Data };
}

function replaced<Item>(items: readonly Item[] = [], at: number, change: (item: Item) => Item): Item[] {
  return items.map((item, place) => (place === at ? change(item) : item));
}
