import { visible } from '@agent-criteria/viewer/views';
import type { RunChoices } from '../../api.ts';
import { Button } from '../button.tsx';

/** A conflict of two versions of a config, either of which can be kept. */
export function ConfigConflict(props: { readonly theirs: RunChoices; takeTheirs(): void; saveMine(): void }) {
  const { theirs, takeTheirs, saveMine } = props;
  const chosen = theirs.criteria.flatMap(({ name, range, chosen: one }) => {
    if (one === null) return [];
    if (one.threshold === null) return [`${name} (measured)`];
    return [`${name} ${range.better === 'lower' ? '≤' : '≥'} ${one.threshold}`];
  });
  return (
    <section class="banner error" role="alert" aria-label="Two versions of the config">
      <p>
        <b>{visible(theirs.config ?? 'test_config.json')} was changed elsewhere</b> since you opened this page. Nothing
        was saved, and your choices are still here. It now has: <bdi>{visible(chosen.join(', ') || 'no criteria')}</bdi>
      </p>
      <div class="buttons">
        <Button text="Take theirs" onClick={takeTheirs} />
        <Button text="Save mine over theirs" class="danger" onClick={saveMine} />
      </div>
    </section>
  );
}
