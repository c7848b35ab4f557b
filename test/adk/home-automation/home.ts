export interface HomeState {
  readonly devices: Readonly<Record<string, { readonly status: string; readonly location: string }>>;
  readonly temperatures: Readonly<Record<string, number>>;
}

const START: HomeState = {
  devices: {
    device_1: { status: 'ON', location: 'Living Room' },
    device_2: { status: 'OFF', location: 'Bedroom' },
    device_3: { status: 'OFF', location: 'Kitchen' },
  },
  temperatures: { 'Living Room': 22, Bedroom: 20, Kitchen: 24 },
};

/** A home and the operations on it. */
export function openHome(state: HomeState = START) {
  const home = {
    state,
    getDevice: ({ device_id }: { device_id: string }) => home.state.devices[device_id] ?? { error: 'no such device' },
    setDevice({ device_id, status }: { device_id: string; status: string }) {
      const device = home.state.devices[device_id];
      if (device === undefined) return { error: 'no such device' };
      home.state = { ...home.state, devices: { ...home.state.devices, [device_id]: { ...device, status } } };
      return { device_id, status };
    },
    getTemperature: ({ location }: { location: string }) => ({ celsius: home.state.temperatures[location] ?? null }),
    setTemperature({ location, temperature }: { location: string; temperature: number }) {
      if (temperature < 18 || temperature > 30) return { error: 'only 18 to 30 degrees can be set' };
      home.state = { ...home.state, temperatures: { ...home.state.temperatures, [location]: temperature } };
      return { location, temperature };
    },
    listDevices({ status, location }: { status?: string; location?: string }) {
      const found = Object.entries(home.state.devices).filter(
        ([, device]) => (!status || device.status === status) && (!location || device.location === location),
      );
      return { devices: found.map(([device_id, device]) => ({ device_id, ...device })) };
    },
  };
  return home;
}
