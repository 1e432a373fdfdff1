import { FakeAzure, type FakeAzureOptions } from '../../../demo/fake-clouds/azure.ts';
import { type RemoteOptions, remoteBackends } from './remote-backends.ts';

/** The moment at which the clock of a fake and of its clients stands until a test moves it. */
const START_MS = Date.UTC(2026, 0, 1);

/** A fake of Azure Key Vault and a clock that only the test moves. */
export interface AzureUnderTest {
  fake: FakeAzure;
  clock: { time: number; now(): number };
  /** The key backends of a new server process that uses the fake. */
  open(options?: RemoteOptions): ReturnType<typeof remoteBackends>;
}

/** Starts a fake of Azure Key Vault for the tests of the enclosing `describe`; its members are set once they run. */
export function useFakeAzure(options: FakeAzureOptions = {}): AzureUnderTest {
  const clock = { time: START_MS, now: () => clock.time };
  const under = { clock } as AzureUnderTest;
  before(async () => {
    const fake = await FakeAzure.start({ now: clock.now, ...options });
    under.fake = fake;
    under.open = (more = {}) => remoteBackends({ kmsb: fake.settings, clock, allow: ['127.0.0.1'], ...more });
  });
  beforeEach(() => {
    clock.time = START_MS;
    under.fake.reset();
  });
  after(() => under.fake?.close());
  return under;
}
