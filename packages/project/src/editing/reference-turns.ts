import { type Content, type Invocation, isInvocationEvents, type Part, pythonTransfer } from '@agent-criteria/core';

/**
 * Converts a recorded turn to an expected one: message, steps and answer, without thoughts, signatures, token counts,
 * grounding and durations. Spells transfers as ADK for Python does.
 */
export function referenceTurn(turn: Invocation): Invocation {
  const { invocationId, userContent, finalResponse, creationTimestamp, rubrics } = turn;
  const answer = finalResponse ? withoutThoughts(finalResponse) : null;
  return {
    invocationId,
    userContent,
    ...(answer === null ? {} : { finalResponse: answer }),
    intermediateData: steps(turn),
    creationTimestamp,
    ...(rubrics ? { rubrics } : {}),
  };
}

/**
 * Returns the steps even if there are none, because an empty list in an expected turn means that no calls are expected.
 */
function steps({ intermediateData }: Invocation): NonNullable<Invocation['intermediateData']> {
  if (!intermediateData) return { toolUses: [] };
  if (!isInvocationEvents(intermediateData)) {
    const { toolUses = [], toolResponses = [], intermediateResponses = [] } = intermediateData;
    return {
      toolUses: toolUses.map(pythonTransfer),
      ...(toolResponses.length === 0 ? {} : { toolResponses }),
      ...(intermediateResponses.length === 0
        ? {}
        : {
            intermediateResponses: intermediateResponses.map(([author, parts]) => [
              author,
              parts.flatMap(visibleParts),
            ]),
          }),
    };
  }
  const events = (intermediateData.invocationEvents ?? []).flatMap(({ author, content }) => {
    const kept = content ? withoutThoughts(content) : null;
    return kept === null ? [] : [{ author, content: kept }];
  });
  return { invocationEvents: events };
}

/** Removes thoughts. Returns `null` if nothing is left. */
function withoutThoughts(content: Content): Content | null {
  const parts = (content.parts ?? []).flatMap(visibleParts);
  return parts.length === 0 ? null : { ...content, parts };
}

function visibleParts(part: Part): readonly Part[] {
  if (part.thought === true) return [];
  const { thoughtSignature: _, thought: __, ...rest } = part;
  if (rest.functionCall) return [{ ...rest, functionCall: pythonTransfer(rest.functionCall) }];
  return Object.keys(rest).length === 0 ? [] : [rest];
}
