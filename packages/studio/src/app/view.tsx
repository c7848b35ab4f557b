import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

/** A view with its title. */
export function View(props: {
  readonly title: ComponentChildren;
  /** Above the title: where it is. */
  readonly above?: ComponentChildren;
  /** Beside the title. */
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
