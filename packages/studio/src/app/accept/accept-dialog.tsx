import { contentText, type EvalCase, type Invocation, toolCalls } from '@agent-criteria/core';
import { diffWords, Fold, JsonChanges, Marked, visible } from '@agent-criteria/viewer/views';
import { useMemo, useState } from 'preact/hooks';
import { Dialog } from '../dialog.tsx';
import { acceptActual, type Difference, type Field } from './accept-actual.ts';

/** What would be expected from now on, to be looked over before it is saved. */
export function AcceptDialog(props: {
  /** As the eval set has it. */
  readonly evalCase: EvalCase;
  readonly actual: readonly Invocation[];
  readonly differing: readonly Difference[];
  readonly wanted: readonly Field[];
  readonly busy: boolean;
  readonly file: string;
  accept(accepted: readonly Difference[]): void;
  close(): void;
}) {
  const { evalCase, actual, differing, wanted, busy, close } = props;
  const [left, setLeft] = useState<ReadonlySet<string>>(
    () => new Set(differing.filter(({ field }) => !wanted.includes(field)).map(keyOf)),
  );
  const accepted = differing.filter((one) => !left.has(keyOf(one)));
  const after = useMemo(() => acceptActual(evalCase, actual, accepted), [evalCase, actual, left]);
  const toggle = (key: string) => {
    const next = new Set(left);
    if (!next.delete(key)) next.add(key);
    setLeft(next);
  };
  return (
    <Dialog title="Accept actual as expected" wide close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          props.accept(accepted);
        }}
      >
        {differing.map((one) => {
          const key = keyOf(one);
          const [expected, happened] = [evalCase.conversation?.[one.turn], actual[one.turn]];
          return (
            <fieldset key={key} class={`accepted${left.has(key) ? ' out' : ''}`}>
              <legend>
                <label class="switch">
                  <input type="checkbox" checked={!left.has(key)} onChange={() => toggle(key)} />
                  {WORDS[one.field]} of turn {one.turn + 1}
                </label>
              </legend>
              {!left.has(key) &&
                (one.field === 'answer' ? (
                  <Answer before={expected} after={happened} />
                ) : (
                  <JsonChanges before={callsOf(expected)} after={callsOf(happened)} name="calls" />
                ))}
            </fieldset>
          );
        })}
        <Fold summary={() => 'The whole change'}>
          {() =>
            accepted.length === 0 ? (
              <p class="note">Nothing is chosen.</p>
            ) : (
              <JsonChanges before={evalCase} after={after} name="case" />
            )
          }
        </Fold>
        <p class="note">
          Saved in <bdi>{visible(props.file)}</bdi>, which <code>agent-criteria eval</code> reads, too.
        </p>
        <div class="buttons stay">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="main" disabled={busy || accepted.length === 0}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const WORDS: Readonly<Record<Field, string>> = { answer: 'The answer', calls: 'The tool calls' };

function keyOf({ turn, field }: Difference): string {
  return `${turn} ${field}`;
}

function callsOf(turn: Invocation | undefined): readonly unknown[] {
  return turn === undefined ? [] : toolCalls(turn).map(({ name, args }) => ({ name, args: args ?? {} }));
}

function Answer({
  before,
  after,
}: {
  readonly before: Invocation | undefined;
  readonly after: Invocation | undefined;
}) {
  const [was, becomes] = [contentText(before?.finalResponse), contentText(after?.finalResponse)];
  const words = was === '' ? null : diffWords(was, becomes);
  return (
    <div class="columns">
      <div class="side-text" dir="auto">
        <h3>Expected until now</h3>
        {was === '' ? (
          <i class="nothing">No answer</i>
        ) : words === null ? (
          was
        ) : (
          <Marked pieces={words.before} as="del" />
        )}
      </div>
      <div class="side-text" dir="auto">
        <h3>Expected from now on</h3>
        {words === null ? becomes : <Marked pieces={words.after} as="ins" />}
      </div>
    </div>
  );
}
