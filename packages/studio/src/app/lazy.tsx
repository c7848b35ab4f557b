import { type ComponentChildren, type ComponentType, createElement, type FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { complain } from './toasts.tsx';

/**
 * Loads a component's code when it is first shown.
 * @param meanwhile Shown until then. Default: a view that is loading.
 */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: ComponentChildren = LOADING,
): FunctionComponent<Props> {
  let view: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [, redraw] = useState(0);
    useEffect(() => {
      if (view !== undefined) return;
      load().then((loaded) => {
        view = loaded;
        redraw(1);
      }, complain);
    }, []);
    if (view !== undefined) return createElement(view, props);
    return meanwhile;
  };
}

const LOADING = (
  <main id="main" tabIndex={-1}>
    <h1 class="note">Loading…</h1>
  </main>
);
