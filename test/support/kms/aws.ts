import { type FakeAws, startFakeAws } from '../../../demo/fake-clouds/aws.ts';

/** Starts a fake AWS KMS for the tests of the enclosing `describe`; its members are set once they run. */
export function useFakeAws(now?: () => number): FakeAws {
  const fake = {} as FakeAws;
  before(async () => {
    Object.assign(fake, await startFakeAws(now));
  });
  afterEach(() => {
    fake.server.reset();
    fake.metadataServer.reset();
  });
  after(() => fake.close?.());
  return fake;
}
