import type { Json, State } from '@agent-criteria/cli';

export interface DeviceInfo {
  readonly device_id: string;
  readonly status: string;
  readonly location: string;
}

export interface RoomTemperature {
  readonly location: string;
  /** Degrees Celsius. */
  readonly temperature: number;
}

/** What a tool answers when it did nothing; the state is as it was. */
export interface Refusal {
  readonly error: string;
}

interface ToolTypes {
  get_device_info: { args: { device_id: string }; result: DeviceInfo | Refusal };
  set_device_info: { args: { device_id: string; status: string }; result: DeviceInfo | Refusal };
  get_temperature: { args: { location: string }; result: RoomTemperature | Refusal };
  set_temperature: { args: { location: string; temperature: number }; result: RoomTemperature | Refusal };
  /** Without a status or a location, or with an empty one: whatever it is. */
  list_devices: { args: { status?: string; location?: string }; result: { readonly devices: readonly DeviceInfo[] } };
}

export type ToolName = keyof ToolTypes;
export type ToolArgs<Name extends ToolName> = ToolTypes[Name]['args'];
export type ToolResult<Name extends ToolName> = ToolTypes[Name]['result'];
export type Tools = { readonly [Name in ToolName]: (args: ToolArgs<Name>) => ToolResult<Name> };

const START_DEVICES: Json = {
  device_1: { status: 'ON', location: 'Living Room' },
  device_2: { status: 'OFF', location: 'Bedroom' },
  device_3: { status: 'OFF', location: 'Kitchen' },
};
const START_TEMPERATURES: Json = { 'Living Room': 22, Bedroom: 20, Kitchen: 24 };

const COLDEST = 18;
const WARMEST = 30;

/**
 * The tools of one home. The home is what `state.devices` and `state.temperatures` say, or the start state where
 * they say nothing, and every change is written back there.
 *
 * @throws Error when the state holds something else under these two keys.
 */
export function homeTools(state: Record<string, Json>): Tools {
  state['devices'] ??= structuredClone(START_DEVICES);
  state['temperatures'] ??= structuredClone(START_TEMPERATURES);
  const devices = readDevices(state['devices']);
  const temperatures = readTemperatures(state['temperatures']);

  return {
    get_device_info({ device_id }) {
      return find(devices, device_id) ?? noDevice(device_id);
    },

    set_device_info({ device_id, status }) {
      const device = find(devices, device_id);
      if (!device) return noDevice(device_id);
      if (status !== 'ON' && status !== 'OFF') return { error: `a device is ON or OFF, it cannot be ${status}` };
      const changed = { ...device, status };
      devices.set(device.device_id, changed);
      state['devices'] = Object.fromEntries(
        [...devices].map(([id, { status, location }]) => [id, { status, location }]),
      );
      return changed;
    },

    get_temperature({ location }) {
      return find(temperatures, location) ?? noRoom(location);
    },

    set_temperature({ location, temperature }) {
      const room = find(temperatures, location);
      if (!room) return noRoom(location);
      if (!(temperature >= COLDEST && temperature <= WARMEST)) {
        return { error: `${temperature} is outside the range of ${COLDEST} to ${WARMEST} degrees Celsius` };
      }
      const changed = { ...room, temperature };
      temperatures.set(room.location, changed);
      state['temperatures'] = Object.fromEntries([...temperatures].map(([name, room]) => [name, room.temperature]));
      return changed;
    },

    list_devices({ status = '', location = '' }) {
      const found = [...devices.values()].filter(
        (device) =>
          (status === '' || device.status === status) && (location === '' || sameName(device.location, location)),
      );
      return { devices: found };
    },
  };
}

function readDevices(seed: Json): Map<string, DeviceInfo> {
  const devices = new Map<string, DeviceInfo>();
  for (const [id, device] of entriesOf(seed, 'devices')) {
    const { status, location } = isObject(device) ? device : {};
    if ((status !== 'ON' && status !== 'OFF') || typeof location !== 'string') {
      throw new Error(
        `devices.${id} of the session state is no device: write { "status": "ON" or "OFF", "location": "Bedroom" }`,
      );
    }
    devices.set(id, { device_id: id, status, location });
  }
  return devices;
}

function readTemperatures(seed: Json): Map<string, RoomTemperature> {
  const temperatures = new Map<string, RoomTemperature>();
  for (const [location, temperature] of entriesOf(seed, 'temperatures')) {
    if (typeof temperature !== 'number') {
      throw new Error(`temperatures.${location} of the session state is no number: write it in degrees Celsius`);
    }
    temperatures.set(location, { location, temperature });
  }
  return temperatures;
}

function entriesOf(seed: Json, key: string): [string, Json | undefined][] {
  if (!isObject(seed)) throw new Error(`${key} of the session state is no object: write one, or leave it out`);
  return Object.entries(seed);
}

function isObject(value: Json | undefined): value is State {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** People write "living room", and mean the Living Room. */
function find<Thing>(things: ReadonlyMap<string, Thing>, name: string): Thing | undefined {
  for (const [key, thing] of things) if (sameName(key, name)) return thing;
  return undefined;
}

function sameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function noDevice(id: string): Refusal {
  return { error: `there is no device called ${id}` };
}

function noRoom(location: string): Refusal {
  return { error: `there is no room called ${location}` };
}
