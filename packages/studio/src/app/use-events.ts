import { useEffect, useRef } from 'preact/hooks';
import { connectionLost, returns } from './connection.ts';

/**
 * Follows the `state` events of an address while the tab is visible: browsers allow few open connections to one server.
 * @param address `null` for none.
 */
export function useEvents<Value>(address: string | null, on: (value: Value) => void): void {
  const latest = useRef(on);
  latest.current = on;
  useEffect(() => {
    if (address === null) return;
    let source: EventSource | null = null;
    const close = () => {
      source?.close();
      source = null;
    };
    const open = () => {
      const opened = new EventSource(address);
      source = opened;
      opened.addEventListener('state', ({ data }) => latest.current(JSON.parse(data) as Value));
      // There is nothing to follow here.
      opened.addEventListener('end', close);
      opened.addEventListener('error', () => {
        close();
        connectionLost();
      });
    };
    const follow = () => {
      if (document.visibilityState !== 'visible') close();
      else if (source === null) open();
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      close();
    };
  }, [address, returns.value]);
}
