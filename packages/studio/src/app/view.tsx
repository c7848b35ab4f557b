import { visible } from '@agent-criteria/viewer/views';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { formatRoute } from './route.ts';

export function View(props: {
  readonly title: ComponentChildren;
  /** Breadcrumbs shown above the title. */
  readonly above?: ComponentChildren;
  /** Buttons next to the title. */
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  const { title } = props;
  useEffect(() => {
    document.title = `${typeof title === 'string' ? title : 'Agent Criteria'} – studio`;
  }, [title]);
  return (
    <main id="main" tabIndex={-1}>
      {props.above !== undefined && <p class="above">{props.above}</p>}
      <div class="top">
        <h1 dir="auto">{props.title}</h1>
        {props.actions !== undefined && <div class="view-actions">{props.actions}</div>}
      </div>
      {props.children}
    </main>
  );
}

/** Links to an app and one of its sets. */
export function SetPath({
  app,
  set,
  name = set,
}: {
  readonly app: string;
  readonly set: string;
  readonly name?: string;
}) {
  return (
    <>
      <a href={formatRoute({ view: 'app', app })}>{visible(app)}</a> /{' '}
      <a href={formatRoute({ view: 'set', app, set, search: '' })}>{visible(name)}</a>
    </>
  );
}
