import { contentText, type EvalCase, type Invocation, toolCalls } from '@agent-criteria/core';
import { diffWords, Fold, JsonChanges, Marked, visible } from '@agent-criteria/viewer/views';
import { useMemo, useState } from 'preact/hooks';
import { FormDialog } from '../dialog.tsx';
import { toggled } from '../toggled.ts';
import { acceptActual, type Difference, type Field } from './accept-actual.ts';

/** Shows the new expectations before they are saved. */
export function AcceptDialog(props: {
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
  return (
    <FormDialog
      title="Accept actual as expected"
      wide
      deed="Save"
      ready={!busy && accepted.length > 0}
      submit={() => props.accept(accepted)}
      close={close}
    >
      {differing.map((one) => {
        const key = keyOf(one);
        const [expected, happened] = [evalCase.conversation?.[one.turn], actual[one.turn]];
        return (
          <fieldset key={key} class={`accepted${left.has(key) ? ' out' : ''}`}>
            <legend>
              <label class="switch">
                <input type="checkbox" checked={!left.has(key)} onChange={() => setLeft(toggled(left, key))} />
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
    </FormDialog>
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
