import { FakeOci, type OciUser } from '../../../demo/fake-clouds/oci.ts';
import { type RemoteOptions, remoteBackends } from './remote-backends.ts';

/** A fake of Oracle OCI Vault with one user. */
export interface OciUnderTest {
  fake: FakeOci;
  user: OciUser;
  /** The `config` of a request to create a key, over the given members. */
  config(over?: Record<string, unknown>): Record<string, unknown>;
}

/** Settings with which a server reaches the fake. */
export const OCI_SETTINGS = { kmsc: { allowHttp: true } };

/** Starts a fake for the tests of the enclosing `describe` and closes it after them; calls are forgotten before each test. */
export function useFakeOci(): OciUnderTest {
  const under = {} as OciUnderTest;
  before(async () => {
    const fake = await FakeOci.start();
    const user = await fake.newUser();
    Object.assign(under, { fake, user, config: (over = {}) => ({ ...fake.configOf(user), ...over }) });
  });
  beforeEach(() => under.fake.reset());
  after(() => under.fake?.close());
  return under;
}

/** All key backends as the server creates them; loopback and plain http may be called. */
export const ociBackends = (options: RemoteOptions = {}) =>
  remoteBackends({ ...OCI_SETTINGS, allow: ['127.0.0.0/8'], ...options });
