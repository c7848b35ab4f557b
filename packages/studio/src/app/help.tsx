import { KeyList } from '@agent-criteria/viewer/views';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { info, keysOn } from './store.ts';

const KEYS: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [['/'], 'search; in a case of a run and in a chat, what was said'],
  [['?'], 'this help'],
  [['j', 'k'], 'next and previous run, case of two runs, or case of a run that did not pass'],
  [['x'], 'choose the run'],
  [['J', 'K'], 'next and previous case of a run'],
  [['→', '←'], 'from a case of a run to its scores, and what each rests on'],
  [['r'], 'run again: a run, or a case; in the editor, save and run it'],
  [['o'], 'open or close the case beside the cases of a run'],
  [['n', 'p'], 'next and previous turn of a case'],
  [['p', 'f', 's'], 'labelling: pass, fail and skip'],
  [['r', 'u', 'b', 'n'], 'labelling: write a reason, undo, back and next'],
  [['Enter'], 'open it'],
  [['Escape'], 'back, out of a field, and close the case beside the list'],
];

export function Help({ close }: { close(): void }) {
  const version = info.value.state === 'there' ? info.value.value.version : '';
  return (
    <Dialog title="Keys and symbols" close={close}>
      <KeyList keys={KEYS} />
      <label class="switch">
        <input
          type="checkbox"
          checked={keysOn.value}
          onChange={(event) => {
            keysOn.value = event.currentTarget.checked;
          }}
        />{' '}
        Single keys are on
      </label>
      <p>
        <b>Coverage</b> is the share of turns that could be scored. A score without a number says why; it is never a 0.
      </p>
      <p class="note">
        Agent Criteria studio {version}. <a href="/app/THIRD_PARTY_LICENSES.txt">Licences of the software in it</a>
      </p>
      <div class="buttons">
        <Button text="Close" onClick={close} />
      </div>
    </Dialog>
  );
}
