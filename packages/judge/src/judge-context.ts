import {
  allToolSteps,
  type Content,
  contentText,
  type Invocation,
  type InvocationEvent,
  intermediateTexts,
  isInvocationEvents,
  type Part,
  type Transcript,
  type Turn,
  toolSteps,
} from '@agent-criteria/core';

/**
 * The parts of a turn that judges see, as strings, each `''` if there is none. All of them are untrusted and belong
 * between fences.
 */
export interface JudgeContext {
  /** Each agent's instructions. */
  readonly instructions: string;
  /** Each agent's tools, as JSON. */
  readonly tools: string;
  /** The earlier turns: messages, tool calls with their results, and answers. */
  readonly earlierTurns: string;
  readonly userMessage: string;
  /** The turn's tool calls with their results, as a JSON list in call order. */
  readonly toolSteps: string;
  /** The steps between the message and the answer, with agents' statements marked as claims. */
  readonly events: string;
  /** The sources reported by the model's own search, as JSON. */
  readonly grounding: string;
  readonly answer: string;
}

export interface JudgeContextOptions {
  /** Whether the answer includes the text that agents wrote before it. Default `false`. */
  readonly intermediateResponses?: boolean | undefined;
  /** Whether `toolSteps` includes the calls that the service of a model made itself. Default `true`. */
  readonly serverSideCalls?: boolean | undefined;
}

/** Renders a turn the same way for every criterion. */
export function judgeContext(
  turn: Pick<Turn, 'index' | 'actual'>,
  transcript: Pick<Transcript, 'turns'>,
  options: JudgeContextOptions = {},
): JudgeContext {
  const { actual, index } = turn;
  return {
    instructions: instructionsText([actual]),
    tools: toolsText([actual]),
    earlierTurns: dialogueText(transcript.turns.slice(0, index).map((earlier) => earlier.actual)),
    userMessage: messageText(actual.userContent),
    toolSteps: toolStepsText(actual, options.serverSideCalls),
    events: eventsText(actual),
    grounding: groundingText(actual),
    answer: answerText(actual, options.intermediateResponses),
  };
}

/**
 * Returns the agent's final answer without thoughts. With `intermediateResponses`, it is preceded by the text that
 * agents wrote before it.
 */
export function answerText(invocation: Invocation, intermediateResponses = false): string {
  const last = messageText(invocation.finalResponse);
  if (!intermediateResponses) return last;
  return [...intermediateTexts(invocation).map(({ text }) => text), last].filter((text) => text !== '').join('\n');
}

/** Returns a message's text. Describes other parts in words, because a judge cannot see them. */
export function messageText(content: Content | null | undefined): string {
  const media = (content?.parts ?? []).flatMap(mediaText);
  const text = contentText(content);
  return [...(text === '' ? [] : [text]), ...media].join('\n');
}

function mediaText({ inlineData, fileData, executableCode, codeExecutionResult }: Part): string[] {
  const type = inlineData?.mimeType ?? fileData?.mimeType;
  return [
    ...(inlineData || fileData ? [`(a file of type ${type ?? 'unknown'}, not shown)`] : []),
    ...(executableCode?.code ? [`code that was run:\n${executableCode.code}`] : []),
    ...(codeExecutionResult?.output ? [`output of the code:\n${codeExecutionResult.output}`] : []),
  ];
}

/** Lists each agent's instructions, once per wording, in order of appearance. */
export function instructionsText(invocations: readonly Invocation[]): string {
  const texts = new Set<string>();
  for (const { appDetails } of invocations) {
    for (const [name, { instructions }] of Object.entries(appDetails?.agentDetails ?? {})) {
      if (instructions) texts.add(`Agent ${name}:\n${instructions}`);
    }
  }
  return [...texts].join('\n\n');
}

/** Returns each agent's tool declarations as JSON, as the model received them. */
export function toolsText(invocations: readonly Invocation[]): string {
  const byAgent = new Map<string, unknown>();
  for (const { appDetails } of invocations) {
    for (const [name, { toolDeclarations }] of Object.entries(appDetails?.agentDetails ?? {})) {
      if (toolDeclarations && toolDeclarations.length > 0 && !byAgent.has(name)) byAgent.set(name, toolDeclarations);
    }
  }
  return byAgent.size === 0 ? '' : json(Object.fromEntries(byAgent));
}

/**
 * Returns a turn's tool calls with their results, as JSON.
 *
 * @param serverSide Whether to include the calls that the service of a model made itself. Default `true`.
 */
export function toolStepsText(invocation: Invocation, serverSide = true): string {
  const steps = serverSide
    ? allToolSteps(invocation)
    : toolSteps(invocation).map((step) => ({ ...step, isServerSide: false }));
  if (steps.length === 0) return '';
  return json(
    steps.map(({ call, response, isServerSide }, step) => {
      const missing = isServerSide ? '(run by the service of the model itself)' : '(no result was recorded)';
      return {
        step,
        tool: call.name ?? '',
        arguments: call.args ?? {},
        result: response ? (response.response ?? null) : missing,
      };
    }),
  );
}

/** Renders the steps that agents took before the answer, in order as far as it was recorded. */
export function eventsText(invocation: Invocation): string {
  const data = invocation.intermediateData;
  const last = { content: invocation.finalResponse };
  if (!data) return servedLines('model', last).join('\n');
  if (!isInvocationEvents(data)) {
    const steps = toolSteps(invocation).flatMap(({ call, response }) => [
      `tool call: ${nameOf(call)}(${json(call.args ?? {})})`,
      ...(response === null ? [] : [`tool result of ${nameOf(response)}: ${json(response.response ?? null)}`]),
    ]);
    const texts = intermediateTexts(invocation).map(({ author, text }) => asOneLine(`${author} claims: ${text}`));
    return [...steps, ...texts, ...servedLines('model', last)].join('\n');
  }
  const events = data.invocationEvents ?? [];
  const lines = events.flatMap(({ author, content, groundingMetadata }, index) => [
    // The last step holds the grounding of the answer, whose content the turn holds.
    ...servedLines(
      author,
      index === events.length - 1 && !content ? { ...last, groundingMetadata } : { content, groundingMetadata },
    ),
    ...(content?.parts ?? []).flatMap((part) => partLines(author, part)),
  ]);
  return lines.join('\n');
}

/**
 * Lists the calls that a model's service made itself, with their results where it reports them, except for code, which
 * `mediaText` shows.
 */
function servedLines(
  author: string,
  { content, groundingMetadata }: Pick<InvocationEvent, 'content' | 'groundingMetadata'>,
): string[] {
  const intermediateData = { invocationEvents: [{ author, content: null, groundingMetadata }] };
  return allToolSteps({ userContent: {}, finalResponse: content, intermediateData })
    .filter(({ call }) => call.name !== 'code_execution')
    .flatMap(({ call, response }) => [
      `the service of the model of ${asOneLine(author)} calls ${nameOf(call)}(${json(call.args ?? {})})`,
      ...(response === null ? [] : [`result of ${nameOf(call)}: ${json(response.response ?? {})}`]),
    ]);
}

/** Indents all lines but the first, so that the text cannot forge one of our own lines, such as a tool result. */
function asOneLine(text: string): string {
  return text.replace(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/g, '\n  ');
}

/** Returns a tool's name as one line, because models may invent names with several lines. */
function nameOf({ name }: { readonly name?: string | null }): string {
  return asOneLine(name ?? '');
}

function partLines(author: string, part: Part): string[] {
  const { text, thought, functionCall, functionResponse } = part;
  return [
    ...(text && thought !== true ? [asOneLine(`${author} claims: ${text}`)] : []),
    ...(functionCall
      ? [`${asOneLine(author)} calls the tool ${nameOf(functionCall)}(${json(functionCall.args ?? {})})`]
      : []),
    ...(functionResponse
      ? [`tool result of ${nameOf(functionResponse)}: ${json(functionResponse.response ?? null)}`]
      : []),
    ...mediaText(part).map((media) => asOneLine(`${author}: ${media}`)),
  ];
}

/** Renders the grounding that the model reported for its answer, event by event, as JSON. */
export function groundingText(invocation: Invocation): string {
  const data = invocation.intermediateData;
  if (!data || !isInvocationEvents(data)) return '';
  const grounds = (data.invocationEvents ?? []).flatMap(({ author, groundingMetadata }, step) =>
    groundingMetadata === undefined || groundingMetadata === null ? [] : [{ step, author, groundingMetadata }],
  );
  return grounds.length === 0 ? '' : json(grounds);
}

/** Renders a conversation turn by turn: messages, agents' steps and answers. */
export function dialogueText(invocations: readonly Invocation[]): string {
  return invocations
    .map((invocation, index) =>
      [
        `Turn ${index + 1}`,
        asOneLine(`user: ${messageText(invocation.userContent)}`),
        eventsText(invocation),
        asOneLine(`final answer: ${answerText(invocation)}`),
      ]
        .filter((line) => line !== '')
        .join('\n'),
    )
    .join('\n\n');
}

/** Converts to JSON, escaping every kind of line break in strings. */
function json(value: unknown): string {
  const escaped = (mark: string): string => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, 1).replace(/[\u0085\u2028\u2029]/g, escaped);
}
