import type { KeyBackends } from '../../../domain/keys/key-backends.ts';
import type { KeyReference, KeyType } from '../../../ports/key-service.ts';
import { useFakeAws } from './aws.ts';
import { remoteBackends } from './remote-backends.ts';

/** What a call is answered with: code, fields, message and what the causes say. */
interface Outcome {
  code: string;
  field?: string;
  message: string;
  detail: string;
}

export const outcomeOf = (work: Promise<unknown>): Promise<Outcome> =>
  work.then(
    () => ({ code: 'done', message: '', detail: '' }),
    ({ code, details, message, detail, cause }) => ({
      code,
      field: details?.map(({ path }: { path: string[] }) => path.join('.')).join(' '),
      message,
      detail: [detail, cause?.message, cause?.cause?.message].join(' '),
    }),
  );

/** For each test of the enclosing `describe` new backends that reach a fake AWS KMS in one second; its keys and denials are forgotten. */
export class AwsTrial {
  readonly fake = useFakeAws();
  backends = {} as KeyBackends;

  constructor() {
    beforeEach(() => {
      this.backends = remoteBackends({ kmsa: this.fake.settings, timeoutSeconds: 1 }).backends;
      this.fake.service.keys.clear();
    });
    afterEach(async () => {
      this.fake.service.denied.clear();
      await this.backends.close();
    });
  }

  /** The operations that were called, oldest first. */
  called = (): (string | undefined)[] =>
    this.fake.server.calls.map(({ headers }) => String(headers['x-amz-target']).split('.')[1]);

  create = (config: object = this.fake.config(), keyType: KeyType = 'secp256r1'): Promise<KeyReference> =>
    this.backends.create('kmsa', { keyType, config: config as never });

  /** A new key, and calls counted from here. */
  fresh = async (keyType?: KeyType): Promise<KeyReference> => {
    const reference = await this.create(this.fake.config(), keyType);
    this.fake.server.reset();
    return reference;
  };
}
