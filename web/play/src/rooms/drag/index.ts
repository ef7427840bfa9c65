import { h } from '../../ui/dom';
import type { RoomModule } from '../room';

const module: RoomModule = {
  mount({ side }) {
    side.append(h('h1', {}, 'Drag'));
    return { getState: () => ({}), setState() {}, languageChanged() {}, unmount() {} };
  },
};
export default module;
