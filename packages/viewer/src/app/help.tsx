import { useLayoutEffect, useRef } from 'preact/hooks';
import { KeyList, Licences } from './page-tools.tsx';

const KEYS: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [['j', 'k'], 'next and previous case that did not pass, or any where all passed'],
  [['J', 'K'], 'next and previous case'],
  [['→', '←'], 'from a case of the list to its scores, and what each rests on'],
  [['n', 'p'], 'next and previous turn of the case'],
  [['Enter'], 'open the case'],
  [['Escape'], 'back to all cases'],
  [['/'], 'search the cases, or the conversation of a case'],
  [['?'], 'this help'],
];

export function Help(props: {
  readonly keysOn: boolean;
  setKeysOn(on: boolean): void;
  readonly licences: string;
  close(): void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Synchronous, because the next key press may already be the Escape that closes it.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={props.close}>
      <h2 id="help-title">Keys and symbols</h2>
      <KeyList keys={KEYS} />
      <label class="switch">
        <input type="checkbox" checked={props.keysOn} onChange={() => props.setKeysOn(!props.keysOn)} /> Single keys are
        on
      </label>
      <p>
        <b>Coverage</b> is the share of turns that could be scored. A score without a number says why: the criterion
        does not apply to the case (<i>not applicable</i>), or it <i>could not be judged</i>. Neither is a 0. There is a
        verdict only if no value of the missing scores could change it.
      </p>
      <Licences text={props.licences} />
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
