import { type Invocation, isInvocationEvents, type Part } from '@agent-criteria/core';
import { visible } from './format.ts';
import { Fold, JsonTree, preview, Some } from './json-tree.tsx';
import { PartView } from './message.tsx';

interface Step {
  readonly author: string;
  readonly part: Part;
}

/** Agents' intermediate texts, thoughts and calls, in order and with their authors. */
export function Steps({ invocation }: { readonly invocation: Invocation | undefined }) {
  const steps = stepsOf(invocation);
  // If there are only calls, they are already shown above.
  if (!steps.some(({ part }) => part.text || part.executableCode)) return null;
  return (
    <Fold class="steps" summary={() => `Intermediate steps (${steps.length})`}>
      {() => (
        <ol>
          <Some items={steps}>
            {({ author, part }, place) => (
              <li key={place}>
                <span class="author">{visible(author)}</span>
                <div>
                  {part.functionCall ? (
                    <>
                      calls <b>{visible(part.functionCall.name ?? '(no name)')}</b>
                      <span class="preview">({part.functionCall.args ? preview(part.functionCall.args) : ''})</span>
                    </>
                  ) : part.functionResponse ? (
                    <JsonTree
                      name={`${part.functionResponse.name ?? 'tool'} answers`}
                      value={part.functionResponse.response ?? null}
                    />
                  ) : (
                    <PartView part={part} isAnswer={author !== 'user'} />
                  )}
                </div>
              </li>
            )}
          </Some>
        </ol>
      )}
    </Fold>
  );
}

function stepsOf(invocation: Invocation | undefined): readonly Step[] {
  const data = invocation?.intermediateData;
  if (!data) return [];
  if (!isInvocationEvents(data)) {
    return (data.intermediateResponses ?? []).flatMap(([author, parts]) => parts.map((part) => ({ author, part })));
  }
  return (data.invocationEvents ?? []).flatMap(({ author, content }) =>
    (content?.parts ?? []).map((part) => ({ author, part })),
  );
}
