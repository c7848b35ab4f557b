import { type ComponentType, createElement } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { complain } from './toasts.tsx';

/** A view whose code is loaded when it is first opened. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
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
    return (
      <main id="main" tabIndex={-1}>
        <h1 class="note">Loading…</h1>
      </main>
    );
  };
}
