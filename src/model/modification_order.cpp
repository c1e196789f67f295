#include "model/modification_order.h"

#include <cassert>

namespace ordeal::model {

bool force_before(ExecutionGraph& graph, Slot a, Slot b) {
  if (a == b || forced_before(graph, a, b)) return true;
  if (forced_before(graph, b, a)) return false;
  const Slot from = graph.event(a).chain_head, to = graph.event(b).chain_head;
  assert(!is_initial(from) && !is_initial(to) && from != to);
  const Event& target = graph.event(to);
  const int width = graph.width();
  const ClockEntry* learned = graph.row(from, Row::kMo);
  for_each_chain_behind(graph, to, [&](Slot head) {
    ClockEntry* row = graph.row(head, Row::kMo);
    if (target.ordinal >= row[number(target.thread)]) return;  // neither `to` nor behind it
    if (base::covers(row, learned, width)) return;
    graph.save_mo_row(head);
    base::join(row, learned, width);
  });
  return true;
}

void start_chain(ExecutionGraph& graph, Slot slot, const Slot* predecessors, int count) {
  Event& write = graph.event(slot);
  const int width = graph.width();
  write.chain_head = write.chain_tail = slot;
  write.chain_position = 0;
  graph.note_chain(write.location);
  ClockEntry* row = graph.row(slot, Row::kMo);
  base::copy(row, graph.row(initial_write(write.location), Row::kMo), width);
  for (int i = 0; i < count; ++i) base::join(row, graph.row(graph.event(predecessors[i]).chain_head, Row::kMo), width);
  row[number(write.thread)] = write.ordinal + 1;
}

void extend_chain(ExecutionGraph& graph, Slot slot) {
  Event& write = graph.event(slot);
  const Event& source = graph.event(write.rf);
  const Slot head = source.chain_head;
  Event& first = graph.event(head);
  assert(first.chain_tail == write.rf);
  write.chain_head = head;
  write.chain_position = source.chain_position + 1;
  first.chain_tail = slot;
  const int thread = number(write.thread);
  const auto include = [&](Slot chain) {
    if (graph.row(chain, Row::kMo)[thread] > write.ordinal) return;
    graph.save_mo_row(chain);
    graph.row(chain, Row::kMo)[thread] = write.ordinal + 1;
  };
  if (is_initial(head)) include(head);
  for_each_chain_behind(graph, head, [&](Slot chain) {
    if (is_initial(head) || first.ordinal < graph.row(chain, Row::kMo)[number(first.thread)]) include(chain);
  });
}

}  // namespace ordeal::model
