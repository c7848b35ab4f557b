import { visible } from '@agent-criteria/viewer/views';
import { useEffect, useRef } from 'preact/hooks';
import type { ImportChoices } from '../../api.ts';
import { Problem, useAnswer } from '../answer.tsx';
import { Button } from '../button.tsx';
import { dropped } from '../dropped.ts';
import { View } from '../view.tsx';
import { ImportPreviewed } from './import-previewed.tsx';
import { Progress, readingText } from './import-progress.tsx';
import { ImportedAs } from './imported-as.tsx';
import { ReadingFields } from './reading-fields.tsx';
import { sizeText } from './size-text.ts';
import { useImport } from './use-import.ts';

/** Takes a file of conversations, shows how it is read, and makes a run or an eval set of it. */
export function ImportPage() {
  const found = useAnswer('GET /imports', {});
  const choices = found.state === 'there' ? found.value : null;
  const draft = useImport(choices);
  const { source, preview, progress, problem } = draft;
  const isKnown = found.state !== 'loading';
  const files = dropped.value;
  useEffect(() => {
    if (files.length === 0 || !isKnown) return;
    dropped.value = [];
    void draft.take(files);
  }, [files, isKnown]);
  const title = useRef<HTMLHeadingElement>(null);
  const isThere = preview !== null;
  useEffect(() => {
    // The button that had the focus is gone.
    if (isThere && document.activeElement === document.body) title.current?.focus();
  }, [isThere]);
  return (
    <View title="Import conversations">
      {found.state === 'failed' && <Problem text={found.problem} />}
      {source.state === 'none' && <FileChoice choices={choices} take={(list) => void draft.take(list)} />}
      <div role="status">
        {source.state === 'sending' && (
          <Progress
            name={source.name}
            text={`Taking ${visible(source.name)}`}
            done={source.sent}
            of={source.size}
            cancel={draft.cancel}
          />
        )}
        {source.state === 'sent' && preview === null && progress !== null && (
          <Progress {...readingText(source.file.name, progress)} cancel={draft.cancel} />
        )}
      </div>
      {preview === null && <Problem text={problem} />}
      {source.state === 'sent' && preview === null && progress === null && (
        <div class="buttons">
          <Button text="Choose another file" onClick={draft.cancel} />
        </div>
      )}
      {source.state === 'sent' && preview !== null && choices !== null && (
        <div class="run-form import">
          <div class={progress === null ? undefined : 'import-old'}>
            <div class="import-file">
              <h2 ref={title} tabIndex={-1}>
                <bdi>{visible(source.file.name)}</bdi> <small>{sizeText(source.file.size)}</small>
              </h2>
              <Button text="Choose another file" class="quiet" onClick={draft.cancel} />
            </div>
            <ImportPreviewed preview={preview} choices={choices} draft={draft} />
          </div>
          <div class="run-side" hidden={preview.files.length === 0}>
            <ImportedAs preview={preview} choices={choices} draft={draft} />
            <ReadingFields preview={preview} choices={choices} draft={draft} />
          </div>
        </div>
      )}
    </View>
  );
}

/** Takes a file by a button; dropping it works anywhere on the page. */
function FileChoice(props: { readonly choices: ImportChoices | null; take(files: readonly File[]): void }) {
  const input = useRef<HTMLInputElement>(null);
  const { choices } = props;
  return (
    <section class="file-choice" aria-labelledby="file-choice-title">
      <h2 id="file-choice-title">Drop a file here, or choose one</h2>
      <p>
        A log of a chat, traces, sessions, a spreadsheet of questions and answers: see how it is read, then make a run
        or eval cases of it. The agent is not needed.
      </p>
      <Button text="Choose a file…" class="main" onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        aria-label="File of conversations"
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          currentTarget.value = '';
          props.take(files);
        }}
      />
      {choices !== null && (
        <>
          <ul class="file-kinds" aria-label="What can be read">
            {choices.formats.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
          </ul>
          <p class="note">
            JSON Lines, JSON, YAML or CSV, also compressed with gzip, up to {sizeText(choices.maxBytes)}. The file stays
            on this machine.
          </p>
        </>
      )}
    </section>
  );
}
