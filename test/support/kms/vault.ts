import { FakeHashiVault, type FakeHashiVaultOptions } from '../../../demo/fake-clouds/vault.ts';
import { type RemoteOptions, remoteBackends } from './remote-backends.ts';

/** The moment at which the clock of a fake and of its clients stands until a test moves it. */
const START_MS = Date.UTC(2026, 0, 1);

/** A fake of HashiCorp Vault and a clock that only the test moves. */
export interface VaultUnderTest {
  fake: FakeHashiVault;
  clock: { time: number; now(): number };
  /** The key backends of a new server process that uses the fake. */
  open(options?: RemoteOptions): ReturnType<typeof remoteBackends>;
}

/** Starts a fake of HashiCorp Vault for the tests of the enclosing `describe`; its members are set once they run. */
export function useFakeVault(options: FakeHashiVaultOptions = {}): VaultUnderTest {
  const clock = { time: START_MS, now: () => clock.time };
  const under = { clock } as VaultUnderTest;
  before(async () => {
    under.fake = await FakeHashiVault.start({ now: clock.now, ...options });
    under.open = (more = {}) => remoteBackends({ tse: under.fake.settings, clock, ...more });
  });
  beforeEach(() => {
    clock.time = START_MS;
    under.fake.server.reset();
    under.fake.transit.denied.clear();
    under.fake.transit.isSealed = false;
  });
  after(() => under.fake?.close());
  return under;
}
