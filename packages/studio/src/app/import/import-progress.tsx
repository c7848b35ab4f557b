import { visible } from '@agent-criteria/viewer/views';
import type { ImportProgress } from '../../api.ts';
import { Button } from '../button.tsx';

/** Puts the progress of reading a file into words. */
export function readingText(name: string, { bytes, size, conversations }: ImportProgress) {
  const read = conversations === 0 ? '' : `: ${conversations.toLocaleString('en')} conversations so far`;
  return { name, text: `Reading ${visible(name)}${read}`, done: bytes, of: size };
}

/** Shows how far something is. */
export function Progress(props: {
  readonly name: string;
  readonly text: string;
  readonly done: number;
  readonly of: number;
  cancel(): void;
}) {
  const { name, text, done, of } = props;
  return (
    <div class="import-progress">
      <span>{text}</span>
      <progress aria-label={`Progress of ${visible(name)}`} max={Math.max(of, 1)} value={Math.min(done, of)} />
      <Button text="Cancel" onClick={props.cancel} />
    </div>
  );
}
