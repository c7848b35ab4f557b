import type { ArtifactVersions } from '@agent-criteria/core/host';
import { Fold, formatBytes, JsonTree, visible } from '@agent-criteria/viewer/views';
import { useId, useState } from 'preact/hooks';
import type { ArtifactContent } from '../../api.ts';
import { Answered, Problem, useAnswer } from '../answer.tsx';
import { addressOf } from '../api-client.ts';

/** The artifacts of a session with their versions. */
export function ArtifactsPane(props: {
  readonly app: string;
  readonly session: string;
  /** The latest version of each artifact according to the events, which are the only source for an imported session. */
  readonly told: ReadonlyMap<string, unknown>;
  /** Number of events; reloads the list when it changes, because new events may have saved artifacts. */
  readonly age: number;
}) {
  const { app, session, told, age } = props;
  const list = useAnswer('GET /apps/:app/sessions/:session/artifacts', { app, session }, age);
  if (list.state === 'loading') return <p class="note">Loading…</p>;
  if (list.state === 'failed') return <Problem text={list.problem} />;
  const kept = new Set(list.value.map(({ name }) => name));
  const gone = [...told].filter(([name]) => !kept.has(name));
  if (kept.size === 0 && gone.length === 0) {
    return <p class="note">The agent has saved no artifacts in this conversation.</p>;
  }
  return (
    <ul class="artifacts">
      {list.value.map((one) => (
        <li key={one.name}>
          <Fold
            class="chat-fold"
            summary={() => (
              <>
                <bdi>{visible(one.name)}</bdi>{' '}
                <small>{one.versions.length === 1 ? '1 version' : `${one.versions.length} versions`}</small>
              </>
            )}
          >
            {() => <Artifact app={app} session={session} artifact={one} />}
          </Fold>
        </li>
      ))}
      {gone.map(([name, version]) => (
        <li key={name}>
          <bdi>{visible(name)}</bdi> <small>version {visible(String(version))}; its content is not here</small>
        </li>
      ))}
    </ul>
  );
}

function Artifact(props: { readonly app: string; readonly session: string; readonly artifact: ArtifactVersions }) {
  const { app, session, artifact } = props;
  const { name, versions } = artifact;
  const newest = versions.at(-1) ?? 0;
  const [version, setVersion] = useState<number | null>(null);
  const field = useId();
  const chosen = version ?? newest;
  const place = { app, session, name, version: String(chosen) };
  const content = useAnswer('GET /apps/:app/sessions/:session/artifacts/:name/:version', place);
  return (
    <div class="artifact">
      <div class="artifact-head">
        <span>
          <label for={field}>Version</label>{' '}
          <select id={field} value={String(chosen)} onChange={(event) => setVersion(Number(event.currentTarget.value))}>
            {versions.map((one) => (
              <option key={one} value={String(one)}>
                {one === newest ? `${one} (newest)` : one}
              </option>
            ))}
          </select>
        </span>
        <a href={addressOf('GET /apps/:app/sessions/:session/artifacts/:name/:version/file', place)} download>
          Download<span class="unseen"> {visible(name)}</span>
        </a>
      </div>
      <Answered found={content} waiting="Loading…">
        {(value) => <Content content={value} />}
      </Answered>
    </div>
  );
}

function Content({ content: { name, mimeType, bytes, shown } }: { readonly content: ArtifactContent }) {
  return (
    <>
      <p class="note">
        {mimeType === null ? 'No type' : visible(mimeType)}, {formatBytes(bytes)}
      </p>
      {shown.kind === 'text' && (
        <>
          <section
            class="artifact-text"
            dir="auto"
            aria-label={visible(name)}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be scrollable by keyboard, too.
            tabIndex={0}
          >
            {visible(shown.text.replace(/\r\n?/g, '\n'))}
          </section>
          {shown.isCut && <p class="note">This is its beginning. Download it to see all of it.</p>}
        </>
      )}
      {shown.kind === 'json' && <JsonTree value={shown.value} open />}
      {shown.kind === 'image' && <img src={shown.source} alt={visible(name)} />}
      {shown.kind === 'none' && <p class="note">It is not shown here. Download it to open it in another program.</p>}
    </>
  );
}
