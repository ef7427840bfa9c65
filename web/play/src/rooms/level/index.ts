import { h } from '../../ui/dom';
import type { RoomModule } from '../room';

const module: RoomModule = {
  mount({ side }) {
    side.append(h('h1', {}, 'Level'));
    return { getState: () => ({}), setState() {}, languageChanged() {}, unmount() {} };
  },
};
export default module;
