import { AREAS } from '../composition/areas.ts';
import { verifierHandlers } from '../adapters/http/verifier.ts';
import { VerificationSessionsT, verifierModule } from '../composition/verifier.ts';
AREAS.verifier ??= { documents: ['verifier'], modules: [verifierModule], handlers: (resolve) => verifierHandlers(resolve(VerificationSessionsT)) as never };
