// SPDX-License-Identifier: MIT
// Ten thousand frames of an unchanged scenario keep no memory.
#include <string>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "headless.h"
#include "ui/log_example.h"
#include "ui/session.h"

namespace kvgauge::ui {
namespace {

TEST(Memory, TenThousandFramesKeepNone) {
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
    Headless h;
    h.app.take("log.txt", kLogExample);
    for (int v = 0; v < kViewCount; ++v) {
        h.app.set_link(Headless::with_view("v=1&tpot-max=30", view_id(static_cast<View>(v))));
        h.frames(300);
        const std::size_t before = mallinfo2().uordblks;
        h.frames(1000);
        const std::size_t after = mallinfo2().uordblks;
        // A string of the test's own trace may be longer or shorter by a few bytes.
        EXPECT_LE(after, before + 4096) << view_id(static_cast<View>(v));
    }
#else
    GTEST_SKIP() << "no mallinfo2 here";
#endif
}

}  // namespace
}  // namespace kvgauge::ui
